import { z } from 'zod';
import { formatCount } from '../../platform/lib/format-count.ts';
import type { AttachedText, ConversationFiles } from '../conversations/index.ts';
import { builtinSource, builtinTool } from './builtin/builtin-tool.ts';
import { type ToolResult, toolError } from './tool.ts';
import type { OfferedTool } from './tool-source.ts';

export const readAttachmentName = 'read_attachment';

/** Maximum characters per call. */
const maxCharacters = 24_000;

const attachmentSource = builtinSource('attachments');

/**
 * `read_attachment {name}`: reads an attached file in parts. It is offered in every conversation with
 * such a file and takes no permission, since attachments belong to the user.
 */
export function readAttachmentTool(
  files: Pick<ConversationFiles, 'readText' | 'namesOfTexts'>,
): OfferedTool {
  const tool = builtinTool({
    name: readAttachmentName,
    arguments: z.strictObject({
      name: z.string().max(300),
      offset: z.number().int().min(0).optional(),
      part: z.union([z.string().max(300), z.number().int()]).optional(),
      find: z.string().max(200).optional(),
    }),
    hints: { readOnly: true, destructive: false, openWorld: false },
    consent: 'never',
    run: async ({ name, offset, part, find }, { conversationId }) => {
      const found = await files.readText(conversationId, name);
      if (!found) {
        const names = await files.namesOfTexts(conversationId);
        return toolError(
          `No text file "${name}" is attached. Attached: ${names.join(', ')}.`,
          'no such file',
        );
      }
      if (find !== undefined && find.trim() !== '') {
        return findIn(found, find);
      }
      const at = offset ?? beginningOf(found, part);
      return at === undefined ? noSuchPart(found) : read(found, at);
    },
  });
  const { name } = tool;
  return { id: `${attachmentSource.id}/${name}`, name, source: attachmentSource, tool };
}

/** The start of a part; undefined if there is none. */
function beginningOf({ marks }: AttachedText, part: string | number = ''): number | undefined {
  if (part === '') {
    return 0;
  }
  const written = String(part).trim().toLowerCase();
  return (
    marks.find(({ name }) => name.toLowerCase() === written) ??
    marks[/^\d+$/.test(written) ? Number(written) - 1 : -1]
  )?.at;
}

function noSuchPart({ attachment, marks }: AttachedText): ToolResult {
  const names = marks.slice(0, 50).map(({ name }) => name);
  return toolError(
    `"${attachment.name}" has no such part. ${names.length > 0 ? `Its parts: ${names.join(', ')}` : 'It has no parts: give an offset.'}`,
    'no such page',
  );
}

function read({ attachment, text }: AttachedText, at: number): ToolResult {
  const { name } = attachment;
  const end = wholeAt(text, Math.min(text.length, at + maxCharacters));
  const more =
    end < text.length
      ? `Continue with offset ${end}.`
      : attachment.isCut
        ? 'The file is longer. The rest was not read.'
        : 'This is its end.';
  return {
    content: `[Characters ${at} to ${end} of ${text.length} of "${name}". ${more}]\n\n${text.slice(at, end)}`,
    isError: false,
    summary: name,
  };
}

/** Avoids splitting a surrogate pair. */
function wholeAt(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return end < text.length && code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}

const maxHits = 20;
const contextCharacters = 120;

function findIn({ attachment, text }: AttachedText, words: string): ToolResult {
  const { name } = attachment;
  const lower = text.toLowerCase();
  // Lowercasing may change the length, so that offsets no longer match.
  const low = lower.length === text.length ? lower : text;
  const wanted = words.trim().toLowerCase();
  const hits: string[] = [];
  let at = low.indexOf(wanted);
  for (; at >= 0 && hits.length < maxHits; at = low.indexOf(wanted, at + wanted.length)) {
    const snippet = text.slice(
      Math.max(0, at - contextCharacters),
      at + wanted.length + contextCharacters,
    );
    hits.push(`- at ${at}: … ${snippet.replace(/\s+/g, ' ').trim()} …`);
  }
  return hits.length === 0
    ? toolError(`"${name}" does not hold "${words}". Try other words.`, 'nothing found')
    : {
        content: `"${words}" in "${name}"${at >= 0 ? `, the first ${formatCount(hits.length, 'time')}` : ''}; read on by an offset near one of these:\n${hits.join('\n')}`,
        isError: false,
        summary: name,
      };
}
