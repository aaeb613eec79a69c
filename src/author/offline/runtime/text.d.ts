// index.ts imports the functions here as text.
declare module "*.js" {
  const source: string;
  export = source;
}
