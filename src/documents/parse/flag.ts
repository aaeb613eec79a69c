// In a separate file, since the start of the program imports it and nothing else.
export const DOCUMENT_FLAG = "--atomsmith-document";
