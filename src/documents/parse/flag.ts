// Alone in its file: the start of the program looks at it, and loads nothing else.
export const DOCUMENT_FLAG = "--atomsmith-document";
