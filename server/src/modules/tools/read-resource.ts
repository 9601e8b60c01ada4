import { formatCount } from '../../platform/lib/format-count.ts';
import { detectMediaType } from '../../platform/lib/media-type.ts';
import type { OpenSkillFile } from '../skills/store/skill-source.ts';
import type { ToolResult } from './tool.ts';

/** Maximum page size of text, in bytes. */
export const pageBytes = 64 * 1024;
const headBytes = 4096;
const maxPictureBytes = 4 * 1024 * 1024;
/** A page must hold at least one character, or reading would never advance. */
const maxCharacterBytes = 4;

interface Reading {
  path: string;
  file: OpenSkillFile;
  /** Byte offset to start at. */
  offset: number;
  limit: number;
  modelSees: boolean;
}

/** A file for the model: a page of text, an image, or a description. */
export async function readResource(reading: Reading): Promise<ToolResult> {
  const { path, file, modelSees } = reading;
  const { kind, type } = detectMediaType(path, await file.read(0, Math.min(file.size, headBytes)));
  if (kind === 'text') {
    return { content: await readPage(reading), isError: false, summary: path };
  }
  if (kind === 'picture' && modelSees && file.size <= maxPictureBytes) {
    const data = (await file.read(0, file.size)).toString('base64');
    return {
      content: `The picture "${path}" follows.`,
      isError: false,
      summary: path,
      images: [{ mediaType: type, data }],
    };
  }
  return {
    content: `"${path}" is not text: ${type}, ${formatCount(file.size, 'byte')}. Its content cannot be shown here.`,
    isError: false,
    summary: path,
  };
}

async function readPage({ file, offset, limit }: Reading): Promise<string> {
  const { size } = file;
  if (offset >= size) {
    return size === 0 ? '[The file is empty.]' : `[The file ends at byte ${size}.]`;
  }
  const length = Math.min(Math.max(limit, maxCharacterBytes), pageBytes, size - offset);
  const page = wholeCharacters(await file.read(offset, length));
  const next = offset + page.length;
  const more =
    next < size ? `\n\n[Bytes ${offset} to ${next} of ${size}. Next: offset ${next}.]` : '';
  return page.toString('utf8') + more;
}

/** Drops an incomplete character at the end of the page. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 4 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) {
    end -= 1;
  }
  const lead = bytes[end - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return end - 1 + length <= bytes.length ? bytes : bytes.subarray(0, end - 1);
}
