// A server on loopback that speaks as much of the Bolt protocol, version 4.4, as one statement needs. It records the
// driver's messages; it is not a Neo4j and runs no Cypher.
import { createServer, type Server, type Socket } from "node:net";

export class Struct {
  readonly tag: number;
  readonly fields: readonly unknown[];

  constructor(tag: number, fields: readonly unknown[]) {
    this.tag = tag;
    this.fields = fields;
  }
}

export interface BoltAnswer {
  fields?: string[];
  records?: unknown[][];
  /** Type in the summary: `r`, `w`, `rw`. */
  type?: string;
  stats?: Record<string, number>;
  /** A failure instead. */
  code?: string;
  message?: string;
  /** The connection breaks instead. */
  breaks?: boolean;
}

export interface BoltServer {
  url: string;
  /** Names of the received messages with their fields. */
  messages: [name: string, fields: unknown[]][];
  /** Records that were sent. */
  sent: number;
  stop(): void;
}

const NAMES: Record<number, string> = {
  1: "HELLO",
  2: "GOODBYE",
  15: "RESET",
  16: "RUN",
  17: "BEGIN",
  18: "COMMIT",
  19: "ROLLBACK",
  47: "DISCARD",
  63: "PULL",
};

type Answers = (statement: string) => BoltAnswer;

/** Starts a server. @param answer the answer to a statement; also called for `HELLO` */
export async function startBolt(answer: Answers): Promise<BoltServer> {
  const bolt: BoltServer = { url: "", messages: [], sent: 0, stop: () => undefined };
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    new Conversation(socket, bolt, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  bolt.url = `bolt://127.0.0.1:${(server.address() as { port: number }).port}`;
  bolt.stop = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return bolt;
}

class Conversation {
  private readonly socket: Socket;
  private readonly bolt: BoltServer;
  private readonly answer: Answers;
  private data = Buffer.alloc(0);
  private greeted = false;
  private open: BoltAnswer = {};
  private at = 0;

  constructor(socket: Socket, bolt: BoltServer, answer: Answers) {
    this.socket = socket;
    this.bolt = bolt;
    this.answer = answer;
    socket.on("error", () => undefined);
    socket.on("data", (part) => this.receive(part));
  }

  private receive(part: Buffer): void {
    this.data = Buffer.concat([this.data, part]);
    if (!this.greeted && this.data.length >= 20) {
      this.greeted = true;
      this.data = this.data.subarray(20);
      this.socket.write(Buffer.from([0, 0, 4, 4]));
    }
    for (let message = readMessage(this.data); message !== undefined; message = readMessage(this.data)) {
      this.data = this.data.subarray(message.length);
      const { tag, fields } = new Reader(message.body).value() as Struct;
      const name = NAMES[tag] ?? String(tag);
      this.bolt.messages.push([name, [...fields]]);
      this.handle(name, fields[0]);
    }
  }

  private handle(name: string, field: unknown): void {
    if (name === "RUN")
      this.begin(String(field), { fields: this.answer(String(field)).fields ?? [], t_first: 0 });
    else if (name === "HELLO") this.begin(name, { server: "Neo4j/4.4.0", connection_id: "b-1" });
    else if (name === "PULL") this.pull(Number((field as { n?: number }).n ?? -1));
    else if (name !== "GOODBYE") this.say(0x70, name === "DISCARD" ? this.summary() : {});
  }

  private begin(statement: string, success: object): void {
    const { code, message = "", breaks } = this.answer(statement);
    this.open = this.answer(statement);
    this.at = 0;
    if (breaks === true) this.socket.destroy();
    else if (code !== undefined) this.say(0x7f, { code, message });
    else this.say(0x70, success);
  }

  private pull(wanted: number): void {
    const { records = [] } = this.open;
    const part = records.slice(this.at, wanted < 0 ? undefined : this.at + wanted);
    for (const record of part) this.say(0x71, record);
    this.bolt.sent += part.length;
    this.at += part.length;
    this.say(0x70, this.at < records.length ? { has_more: true } : this.summary());
  }

  private summary(): object {
    const { type = "r", stats } = this.open;
    return { type, db: "neo4j", ...(stats === undefined ? {} : { stats }) };
  }

  private say(tag: number, field: unknown): void {
    this.socket.write(chunkMessage(pack(new Struct(tag, [field]))));
  }
}

/** The first complete message: chunks with two bytes of length each, ended by an empty one. */
function readMessage(data: Buffer): { body: Buffer; length: number } | undefined {
  const parts: Buffer[] = [];
  for (let offset = 0; offset + 2 <= data.length; ) {
    const size = data.readUInt16BE(offset);
    offset += 2;
    if (size === 0 && parts.length > 0) return { body: Buffer.concat(parts), length: offset };
    if (offset + size > data.length) return undefined;
    parts.push(data.subarray(offset, offset + size));
    offset += size;
  }
  return undefined;
}

function chunkMessage(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let offset = 0; offset < body.length; offset += 0xffff) {
    const part = body.subarray(offset, offset + 0xffff);
    const size = Buffer.alloc(2);
    size.writeUInt16BE(part.length);
    parts.push(size, part);
  }
  return Buffer.concat([...parts, Buffer.alloc(2)]);
}

function pack(value: unknown): Buffer {
  if (value === null) return Buffer.from([0xc0]);
  if (typeof value === "boolean") return Buffer.from([value ? 0xc3 : 0xc2]);
  if (typeof value === "bigint") {
    const bytes = Buffer.alloc(9, 0xcb);
    bytes.writeBigInt64BE(value, 1);
    return bytes;
  }
  if (typeof value === "number") {
    const bytes = Buffer.alloc(9, 0xc1);
    bytes.writeDoubleBE(value, 1);
    return bytes;
  }
  if (typeof value === "string") {
    const text = Buffer.from(value);
    return Buffer.concat([Buffer.from([0xd2]), long(text.length), text]);
  }
  if (value instanceof Struct)
    return Buffer.concat([Buffer.from([0xb0 + value.fields.length, value.tag]), ...value.fields.map(pack)]);
  if (Array.isArray(value))
    return Buffer.concat([Buffer.from([0xd6]), long(value.length), ...value.map(pack)]);
  const entries = Object.entries(value as object);
  return Buffer.concat([
    Buffer.from([0xda]),
    long(entries.length),
    ...entries.flatMap((pair) => pair.map(pack)),
  ]);
}

function long(size: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(size);
  return bytes;
}

class Reader {
  private at = 0;
  private readonly data: Buffer;

  constructor(data: Buffer) {
    this.data = data;
  }

  value(): unknown {
    const mark = this.data.readUInt8(this.skip(1));
    const low = mark & 0x0f;
    if (mark < 0x80) return mark;
    if (mark >= 0xf0) return mark - 0x100;
    if (mark < 0x90) return this.text(low);
    if (mark < 0xa0) return this.list(low);
    if (mark < 0xb0) return this.map(low);
    if (mark < 0xc0) return new Struct(this.data.readUInt8(this.skip(1)), this.list(low));
    switch (mark) {
      case 0xc0:
        return null;
      case 0xc1:
        return this.data.readDoubleBE(this.skip(8));
      case 0xc2:
      case 0xc3:
        return mark === 0xc3;
      case 0xc8:
        return this.data.readInt8(this.skip(1));
      case 0xc9:
        return this.data.readInt16BE(this.skip(2));
      case 0xca:
        return this.data.readInt32BE(this.skip(4));
      case 0xcb:
        return this.data.readBigInt64BE(this.skip(8));
      default:
        return this.sized(mark);
    }
  }

  /** The offset after the value that was read. */
  private skip(bytes: number): number {
    this.at += bytes;
    return this.at - bytes;
  }

  private sized(mark: number): unknown {
    const bytes = 1 << (mark & 0x03);
    const size = this.data.readUIntBE(this.skip(bytes), bytes);
    if (mark >= 0xd0 && mark <= 0xd2) return this.text(size);
    if (mark >= 0xd4 && mark <= 0xd6) return this.list(size);
    if (mark >= 0xd8 && mark <= 0xda) return this.map(size);
    throw new Error(`mark ${mark.toString(16)}`);
  }

  private text(size: number): string {
    const from = this.skip(size);
    return this.data.toString("utf8", from, from + size);
  }

  private list(size: number): unknown[] {
    return Array.from({ length: size }, () => this.value());
  }

  private map(size: number): Record<string, unknown> {
    return Object.fromEntries(Array.from({ length: size }, () => [String(this.value()), this.value()]));
  }
}
