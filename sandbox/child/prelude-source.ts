// The bundled guest prelude as text. The bundler of the child (sandbox/runtime/bundle.ts) puts it in.
declare const ATOMSMITH_PRELUDE: string;
export const PRELUDE: string = ATOMSMITH_PRELUDE;
