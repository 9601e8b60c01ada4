import type { CallReason } from '@knowhow/shared/chat/call-reason';
import { isRecord } from '@knowhow/shared/is-record';
import { formatCount } from '../../../platform/lib/format-count.ts';
import { detectMediaType } from '../../../platform/lib/media-type.ts';
import type { ModelImage } from '../../models/index.ts';
import type { NewFile, ToolResult } from '../tool.ts';
import { cleanText, wellFormed } from './clean-text.ts';

const kibibyte = 1024;
/** Longer texts are truncated in the middle for the model; lengths in characters. */
const maxText = 64 * kibibyte;
const headOfText = 48 * kibibyte;
const tailOfText = 15 * kibibyte;
/** Maximum characters processed and stored as a file. */
const maxWhole = 10 * kibibyte * kibibyte;
const maxFiles = 32;
const maxFileBytes = 10 * kibibyte * kibibyte;
const maxAllBytes = 32 * kibibyte * kibibyte;
const maxImages = 8;
const maxImageBytes = 5 * kibibyte * kibibyte;
const maxLinks = 200;
const maxStructured = 256 * kibibyte;

const imageTypes: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
};

/**
 * Converts a server's result for the model and the user, within limits: text, structured content,
 * images, files and links. Omissions are noted. The input is untrusted.
 *
 * @param answer a result of `tools/call`
 */
export function toolResult(answer: unknown): ToolResult {
  const result = isRecord(answer) ? answer : {};
  const collected = new Collected();
  for (const part of Array.isArray(result.content) ? result.content : []) {
    collected.add(part);
  }
  const structured = structuredOf(result.structuredContent);
  if (structured !== undefined && collected.isEmpty) {
    collected.addText(JSON.stringify(structured, null, 2));
  }
  const isError = result.isError === true;
  return {
    ...collected.finish(),
    ...(isError ? { isError, summary: 'failed' satisfies CallReason } : { isError }),
    ...(structured === undefined ? {} : { structured }),
  };
}

function structuredOf(value: unknown): unknown {
  return value === undefined || JSON.stringify(value).length > maxStructured ? undefined : value;
}

class Collected {
  #texts: string[] = [];
  #length = 0;
  #bytes = 0;
  #links = 0;
  #leftOut = 0;
  readonly #files: NewFile[] = [];
  readonly #images: ModelImage[] = [];

  get isEmpty(): boolean {
    return this.#texts.length === 0 && this.#files.length === 0;
  }

  addText(text: string): void {
    const remaining = maxWhole - this.#length;
    if (remaining <= 0) {
      this.#leftOut += 1;
      return;
    }
    this.#texts.push(text.slice(0, remaining));
    this.#length += text.length;
  }

  add(part: unknown): void {
    if (!isRecord(part)) {
      return;
    }
    switch (part.type) {
      case 'text':
        this.addText(textOf(part.text));
        break;
      case 'image':
        this.#addBytes(part.data, textOf(part.mimeType), 'image');
        break;
      case 'audio':
        this.#addBytes(part.data, textOf(part.mimeType), 'audio');
        break;
      case 'resource_link':
        this.#addLink(part);
        break;
      case 'resource':
        this.#addResource(part.resource);
        break;
      default:
        this.#leftOut += 1;
    }
  }

  #addLink({ uri, name, title, description, mimeType }: Record<string, unknown>): void {
    this.#links += 1;
    if (this.#links > maxLinks) {
      this.#leftOut += 1;
      return;
    }
    const label = [title, name].map(textOf).find(Boolean) ?? '';
    const rest = [mimeType, description].map(textOf).filter(Boolean).join(', ');
    this.addText(`[${label.slice(0, 200)}](${textOf(uri).slice(0, 2000)}) ${rest.slice(0, 500)}`);
  }

  #addResource(resource: unknown): void {
    if (!isRecord(resource)) {
      return;
    }
    const uri = textOf(resource.uri).slice(0, 2000);
    if (typeof resource.text === 'string') {
      this.addText(`${uri}:\n${resource.text}`);
      return;
    }
    this.#addBytes(resource.blob, textOf(resource.mimeType), fileNameOf(uri));
  }

  #addBytes(data: unknown, type: string, name: string): void {
    const base64 = textOf(data);
    const size = Math.floor((base64.length * 3) / 4);
    const isTooMuch = size > maxFileBytes || this.#bytes + size > maxAllBytes;
    if (size === 0 || isTooMuch || this.#files.length >= maxFiles) {
      this.#leftOut += 1;
      return;
    }
    const bytes = Buffer.from(base64, 'base64');
    this.#bytes += bytes.length;
    const number = this.#files.length + 1;
    const picture = pictureType(bytes);
    const ending = picture && imageTypes[picture];
    const fullName = name.includes('.') ? name : `${name}-${number}${ending ? `.${ending}` : ''}`;
    const isPlainType = /^[a-z]+\/[a-z0-9.+-]{1,100}$/i.test(type);
    const claimedType = isPlainType ? type.toLowerCase() : 'application/octet-stream';
    // Some models reject a whole conversation because of one invalid image.
    const fileType =
      picture ?? (claimedType.startsWith('image/') ? 'application/octet-stream' : claimedType);
    this.#files.push({ name: fullName, type: fileType, bytes });
    if (picture && this.#images.length < maxImages && bytes.length <= maxImageBytes) {
      this.#images.push({ mediaType: picture, data: bytes.toString('base64') });
    }
    this.addText(`[file: ${fullName}, ${fileType}, ${formatCount(bytes.length, 'byte')}]`);
  }

  finish(): Pick<ToolResult, 'content' | 'images' | 'files' | 'summary'> {
    const whole = cleanText(this.#texts.join('\n'));
    const files = [...this.#files];
    const notes =
      this.#leftOut > 0
        ? [`[${formatCount(this.#leftOut, 'more part', 'more parts')} of the result left out]`]
        : [];
    if (whole.length > maxText) {
      files.push({ name: 'result.txt', type: 'text/plain', bytes: Buffer.from(whole) });
    }
    const content = [headAndTail(whole), ...notes].filter(Boolean).join('\n');
    return {
      content: content === '' ? 'The tool gave no content.' : content,
      summary: summaryOf(whole.length, this.#files.length),
      ...(this.#images.length > 0 ? { images: this.#images } : {}),
      ...(files.length > 0 ? { files } : {}),
    };
  }
}

function headAndTail(text: string): string {
  if (text.length <= maxText) {
    return text;
  }
  const left = text.length - headOfText - tailOfText;
  const note = `[${left} characters are left out here. The whole is kept as result.txt for the user.]`;
  const head = text.slice(0, headOfText);
  return wellFormed(`${head}\n\n${note}\n\n${text.slice(-tailOfText)}`);
}

function summaryOf(characters: number, files: number): string {
  const parts = [
    ...(files > 0 ? [formatCount(files, 'file')] : []),
    ...(characters > 0 || files === 0 ? [formatCount(characters, 'character')] : []),
  ];
  return parts.join(', ');
}

function fileNameOf(uri: string): string {
  const last = uri.split(/[?#]/)[0]?.split('/').at(-1) ?? '';
  const plain = last
    .replaceAll(/[^\w.-]/g, '_')
    .replace(/^\.+/, '')
    .slice(-100);
  return plain === '' ? 'resource' : plain;
}

/** Detected by magic bytes, whatever the server claims. */
function pictureType(bytes: Buffer): string | undefined {
  const { kind, type } = detectMediaType('a.png', bytes.subarray(0, 4096));
  return kind === 'picture' ? type : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
