// Prompts are markdown files that the bundler embeds as text.
declare module "*.md" {
  const text: string;
  export = text;
}
