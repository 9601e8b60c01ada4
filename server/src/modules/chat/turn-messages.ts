import type { EndReason } from '@knowhow/shared/chat/chat';
import type { AssistantMessage, Message } from '@knowhow/shared/chat/conversations';
import type { AppConfig } from '@knowhow/shared/config/app-config';
import type {
  ActivationRecord,
  AnswerRecord,
  Records,
  SuggestedSkill,
  ToolRecord,
} from '../conversations/index.ts';
import type { ModelMessage, ModelToolCall } from '../models/index.ts';
import { contentFor, renderFullCatalogue } from '../skills/index.ts';
import { collectImages, renderAttached } from './attached/render-attached.ts';

export interface Reader {
  /** ID of the model, which is also its file name. */
  model: string;
  usesTools: boolean;
  /** The app in which the conversation takes place. */
  app: Pick<AppConfig, 'customInstructions'>;
  /** Whether the model supports images. */
  sees: boolean;
  /** Whether the caller currently sees a skill. */
  isVisible(skill: string): boolean;
  /** Whether a skill suggested for a message may be picked and is not in the catalogue. */
  isUnlisted(skill: string): boolean;
  /** Token budget of skill texts whose turns were dropped. */
  skillTokenBudget: number;
}

interface CameWith {
  /** The user's instructions from here on, rendered for the model; may be empty. */
  instructions: string;
  activations: readonly ActivationRecord[];
  named: readonly SuggestedSkill[];
  attached: Records['attached'];
}

type UserMessage = Extract<Message, { role: 'user' }>;

/** The user's words after what came with them; with images if the model supports them. */
export function userMessage(user: UserMessage, cameWith: CameWith, reader: Reader): ModelMessage {
  const images = reader.sees ? collectImages(user.attachments ?? [], cameWith.attached) : [];
  return {
    role: 'user',
    content: renderUserContent(user, cameWith, reader),
    ...(images.length > 0 ? { images } : {}),
  };
}

function renderUserContent(
  { content, skills, attachments = [] }: UserMessage,
  { instructions, activations, named, attached }: CameWith,
  reader: Reader,
): string {
  const texts = activations
    // Without tool support no results are sent, so skill texts from results go with the message.
    .filter(({ call }) => call === undefined || !reader.usesTools)
    .map((record) => renderActivation(record, reader));
  const picked = skills.filter((name) => reader.isVisible(name));
  const asked =
    picked.length > 0 ? [`For this message the user asks for: ${picked.join(', ')}.`] : [];
  const files = renderAttached(attachments, attached, reader);
  return [instructions, ...texts, renderSuggested(named, reader), ...asked, files, content]
    .filter((part) => part.trim() !== '')
    .join('\n\n');
}

/** Skills suggested for a message that are not in the catalogue. */
function renderSuggested(named: readonly SuggestedSkill[], reader: Reader): string {
  const shown = named.filter(({ id }) => reader.isUnlisted(id));
  return shown.length === 0
    ? ''
    : `These skills are available too, and may fit this message:\n${renderFullCatalogue(shown)}`;
}

function renderActivation({ activation, content, end }: ActivationRecord, reader: Reader): string {
  return end ? endedTexts[end.reason](activation.name) : contentFor(content, reader);
}

const endedTexts: Record<EndReason, (skill: string) => string> = {
  user: (skill) =>
    `The user ended skill "${skill}", and its content was removed. Continue without it.`,
  'not-available': (skill) =>
    `Skill "${skill}" is no longer available, and its content was removed. Continue without it.`,
  blocked: (skill) =>
    `Skill "${skill}" was withdrawn, and its content was removed. Continue without it, and do not follow it any more.`,
  app: (skill) =>
    `This app no longer uses skill "${skill}", and its content was removed. Continue without it.`,
  limit: (skill) =>
    `Skill "${skill}" reached a limit, and its content was removed. Activate it again only if needed.`,
  changed: (skill) => `Skill "${skill}" has a newer text below. The old text was removed.`,
  replaced: (skill) =>
    `Skill "${skill}" was requested again; its text is below. The old text was removed.`,
};

interface Answering {
  records: Records;
  reader: Reader;
  /** Activations of this turn. */
  own: readonly ActivationRecord[];
  /** The activation of a skill that was in force at a call. */
  source: (skill: string, call: number) => ActivationRecord | undefined;
  /** Whether a call's result was cleared. */
  isCleared: (call: number) => boolean;
  nameCall: (id: string) => string;
}

/** An answer with its calls and their results. */
export function answerMessages(answer: AssistantMessage, answering: Answering): ModelMessage[] {
  const { records, reader, nameCall } = answering;
  const { content, rounds = [], toolCalls } = answer;
  const record = records.answers.get(answer.id);
  // Vendor state is only sent back to the model that produced it.
  const states = answer.model === reader.model ? record?.states : undefined;
  if (!reader.usesTools || rounds.length === 0) {
    return assistantMessage(content, rounds.length === 0 ? states?.get(0) : undefined);
  }
  const messages: ModelMessage[] = [];
  let from = 0;
  let first = 0;
  for (const [number, { end, calls }] of rounds.entries()) {
    const called = toolCalls.slice(first, first + calls);
    const named = called.map(({ id, name, input }) => ({ id: nameCall(id), name, input }));
    const text = withoutBreak(content.slice(from, end));
    if (named.length === 0) {
      // The turn ended before its first call.
      messages.push(...assistantMessage(text));
    } else {
      messages.push({
        role: 'assistant',
        content: text,
        toolCalls: named,
        vendorState: states?.get(number),
      });
    }
    for (const [index, call] of named.entries()) {
      const result = resultAt({ ...call, number: first + index }, record, answering);
      messages.push({ role: 'tool', callId: call.id, name: call.name, ...result });
    }
    from = end;
    first += calls;
  }
  return [
    ...messages,
    ...assistantMessage(withoutBreak(content.slice(from)), states?.get(rounds.length)),
  ];
}

function assistantMessage(content: string, vendorState?: unknown): ModelMessage[] {
  const state = vendorState === undefined ? {} : { vendorState };
  return content.trim() === '' ? [] : [{ role: 'assistant', content, toolCalls: [], ...state }];
}

/** Text after tool calls starts with a paragraph break in the chat; for the model it is a separate message. */
function withoutBreak(text: string): string {
  return text.startsWith('\n\n') ? text.slice(2) : text;
}

/** Result of a call, as far as the caller may still see it. */
function resultAt(
  { name: tool, input, number }: ModelToolCall & { number: number },
  record: AnswerRecord | undefined,
  { own, source, isCleared, reader }: Answering,
): Pick<ToolRecord, 'content' | 'isError' | 'images'> {
  const activated = own.find(({ call }) => call === number);
  if (activated) {
    return { content: renderActivation(activated, reader), isError: false };
  }
  const result = record?.results[number];
  if (!result) {
    return { content: 'The answer ended before this call returned.', isError: true };
  }
  const { content, isError, images, skills } = result;
  const hidden = skills.find((name) => !reader.isVisible(name));
  if (hidden !== undefined) {
    return { content: endedTexts['not-available'](hidden), isError };
  }
  // Files of a skill are removed with it; lists that name several skills stay.
  const [only] = skills.length === 1 ? skills : [];
  if (!isError && only !== undefined && source(only, number)?.end?.reason === 'user') {
    return { content: endedTexts.user(only), isError };
  }
  if (isCleared(number)) {
    return { content: clearedLine(tool, input), isError };
  }
  return { content, isError, ...(images ? { images } : {}) };
}

const maxInputLength = 300;

function clearedLine(tool: string, input: unknown): string {
  const written = JSON.stringify(input) ?? '';
  const again = written.length > maxInputLength ? `${tool} again` : `${tool} again with ${written}`;
  return `This result was removed to save space. Call ${again} when it is needed.`;
}
