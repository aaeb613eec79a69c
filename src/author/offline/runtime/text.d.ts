// The functions here are imported as text only, by ../runtime.ts.
declare module "*.js" {
  const source: string;
  export = source;
}
