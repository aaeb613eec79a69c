// The bundled guest prelude as text, inserted by the bundler of the child (sandbox/runtime/bundle.ts).
declare const ATOMSMITH_PRELUDE: string;
export const PRELUDE: string = ATOMSMITH_PRELUDE;
