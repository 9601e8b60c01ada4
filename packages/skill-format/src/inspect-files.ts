import type { SkillMessage } from '@knowhow/shared/skills/skill-messages';
import type { SkillMessageText } from '@knowhow/shared/skills/skills';
import { createMessage } from './create-message.ts';
import { findSecrets } from './find-secrets.ts';
import { countHiddenCharacters, hasHiddenCharacters } from './hidden-characters.ts';
import type { PackedFile } from './packed-file.ts';

/** A finding about a file, for the person who installs it. */
export interface FileDiagnostic extends SkillMessageText {
  code: 'hidden-characters' | 'looks-like-secret' | 'nested-archive' | 'long-text';
  text: SkillMessage;
  /** The first affected line, from 1. */
  line?: number;
}

export interface InspectedFile {
  path: string;
  /** In bytes. */
  size: number;
  executable: boolean;
  /** A program, by its name, its first line, or its executable bit. */
  script: boolean;
  diagnostics: FileDiagnostic[];
}

/** Findings about the files of a skill. Messages never repeat a secret. */
export function inspectFiles(files: readonly PackedFile[]): InspectedFile[] {
  return files.map((file) => {
    const { path, bytes, executable } = file;
    return {
      path,
      size: bytes.length,
      executable,
      script: executable || isScript(file),
      diagnostics: [
        ...diagnosticOnName(path),
        ...diagnosticOnArchive(file),
        ...diagnosticsOnText(bytes),
      ],
    };
  });
}

const scriptNames =
  /\.(?:sh|bash|zsh|fish|ps1|bat|cmd|py|rb|pl|php|lua|js|mjs|cjs|ts|mts|r|jl|groovy|applescript|vbs)$/i;

function isScript({ path, bytes }: PackedFile): boolean {
  return scriptNames.test(path) || (bytes[0] === 0x23 && bytes[1] === 0x21);
}

function diagnosticOnName(path: string): FileDiagnostic[] {
  return hasHiddenCharacters(path)
    ? [{ code: 'hidden-characters', ...createMessage('hidden-in-name') }]
    : [];
}

/** Magic numbers of archives, in hexadecimal. */
const archives = /^(?:504b0304|1f8b|377abcaf271c|526172211a07|425a68|fd377a585a00|28b52ffd)/;
/** Office documents are zips, but readers do not unpack them. */
const documents = /\.(?:docx|xlsx|pptx|odt|ods|odp|odg|epub|vsdx)$/i;

function diagnosticOnArchive({ path, bytes }: PackedFile): FileDiagnostic[] {
  const beginning = Buffer.from(bytes.subarray(0, 8)).toString('hex');
  return archives.test(beginning) && !documents.test(path)
    ? [{ code: 'nested-archive', ...createMessage('nested-archive') }]
    : [];
}

/** Size of a resource page for models. */
const pageBytes = 64 * 1024;
/** Longer texts are hardly read at once. */
const longTextBytes = 50_000;
const headBytes = 8192;

function diagnosticsOnText(bytes: Uint8Array): FileDiagnostic[] {
  if (bytes.subarray(0, headBytes).includes(0)) {
    return [];
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
  const pages = Math.ceil(bytes.length / pageBytes);
  const kilobytes = Math.ceil(bytes.length / 1000);
  const long = createMessage(pages > 1 ? 'long-text-pages' : 'long-text', { kilobytes, pages });
  return [
    ...(bytes.length > longTextBytes ? [{ code: 'long-text' as const, ...long }] : []),
    ...diagnosticOnHidden(text),
    ...findSecrets(text).map(({ kind, start, line }) => ({
      code: 'looks-like-secret' as const,
      ...createMessage(`secret-${kind}`, { line, start }),
      line,
    })),
  ];
}

function diagnosticOnHidden(text: string): FileDiagnostic[] {
  const plain = text.replace(/^\ufeff/, '');
  if (!hasHiddenCharacters(plain)) {
    return [];
  }
  const line = plain.split('\n').findIndex(hasHiddenCharacters) + 1;
  const count = countHiddenCharacters(plain);
  const message = createMessage(count === 1 ? 'hidden-character' : 'hidden-number', {
    number: count,
    line,
  });
  return [{ code: 'hidden-characters', ...message, line }];
}
