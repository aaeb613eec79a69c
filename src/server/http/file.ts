// A file of a job as a download: the browser never renders it as a page of this server.

/** @param name proposed to the user; @param mediaType of the file */
export function fileResponse(path: string, name: string, mediaType: string): Response {
  return new Response(Bun.file(path), {
    headers: {
      "content-type": mediaType,
      "content-disposition": `attachment; filename="${name.replace(/[^A-Za-z0-9._-]/g, "_")}"`,
      "content-security-policy": "sandbox; default-src 'none'",
    },
  });
}
