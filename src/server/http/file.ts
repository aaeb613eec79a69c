// A file of a job, to be saved: the browser shows none of it as a page of this server.

/** @param name shown to the person; @param mediaType of the file */
export function fileResponse(path: string, name: string, mediaType: string): Response {
  return new Response(Bun.file(path), {
    headers: {
      "content-type": mediaType,
      "content-disposition": `attachment; filename="${name.replace(/[^A-Za-z0-9._-]/g, "_")}"`,
      "content-security-policy": "sandbox; default-src 'none'",
    },
  });
}
