// Documents for the tests: those of the fixtures, and generated ones, valid and hostile.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { zipSync } from "fflate";

export const FIXTURES = join(import.meta.dirname, "../../fixtures/documents");

const folder = mkdtempSync(join(tmpdir(), "atomsmith-documents-test-"));

/** Writes a file and returns its path. */
export function file(name: string, data: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, data);
  return path;
}

export function zip(name: string, members: Record<string, string | Uint8Array>): string {
  const bytes = Object.entries(members).map(([path, data]) => [
    path,
    typeof data === "string" ? new TextEncoder().encode(data) : data,
  ]);
  return file(name, zipSync(Object.fromEntries(bytes)));
}

/** An archive with one member of blanks, and the size stated in its directory. */
export function bomb(name: string, member: string, size: number, statedSize = size): string {
  const packed = deflateRawSync(Buffer.alloc(size, " "), { level: 1 });
  const path = Buffer.from(member);
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(20, 0);
  fields.writeUInt16LE(8, 4);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(statedSize, 18);
  fields.writeUInt16LE(path.length, 22);
  const local = Buffer.concat([Buffer.from("PK\x03\x04"), fields, path, packed]);
  const entry = Buffer.concat([Buffer.from("PK\x01\x02\x14\0"), fields, Buffer.alloc(14), path]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(entry.length, 8);
  end.writeUInt32LE(local.length, 12);
  return file(name, Buffer.concat([local, entry, Buffer.from("PK\x05\x06"), end]));
}

/** A PDF of these objects, numbered from 1; the first is the catalogue. */
export function pdf(name: string, objects: readonly (string | Uint8Array)[]): string {
  const parts: Uint8Array[] = [Buffer.from("%PDF-1.4\n")];
  const offsets: number[] = [];
  let offset = parts[0]?.length ?? 0;
  const add = (part: Uint8Array): void => {
    parts.push(part);
    offset += part.length;
  };
  objects.forEach((object, number) => {
    offsets.push(offset);
    add(Buffer.from(`${number + 1} 0 obj\n`));
    add(Buffer.from(object));
    add(Buffer.from("\nendobj\n"));
  });
  const start = offset;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  add(Buffer.from(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${rows}`));
  add(Buffer.from(`trailer\n<< /Size ${offsets.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`));
  return file(name, Buffer.concat(parts));
}

/** A stream object. */
export function stream(dictionary: string, data: Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from("\nendstream"),
  ]);
}

/** A PDF with pages of one line each. */
export function pages(name: string, count: number, line: (page: number) => string): string {
  const kids = Array.from({ length: count }, (_, n) => `${4 + 2 * n} 0 R`).join(" ");
  const objects: (string | Uint8Array)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${kids}] /Count ${count} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  for (let n = 0; n < count; n++) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R >> >> /Contents ${5 + 2 * n} 0 R >>`,
      stream("", Buffer.from(`BT /F 12 Tf 50 700 Td (${line(n + 1)}) Tj ET`)),
    );
  }
  return pdf(name, objects);
}
