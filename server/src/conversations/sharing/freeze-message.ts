import type { AssistantMessage, Message, ToolCall } from '@knowhow/shared/chat/conversations';
import type { SharedAnswer, SharedConversation } from '@knowhow/shared/chat/sharing';

/** A message as it is read by others, or taken out. */
export type FrozenMessage = SharedConversation['messages'][number];

/** What a copy of a conversation is to hold, and what of it may be told at all. */
export interface Freezing {
  files: boolean;
  details: boolean;
  /** What readers are told of a model, by its id. */
  modelName: (id: string) => string;
  /** Whether whoever shares may see a skill, by its name. */
  maySeeSkill: (name: string) => boolean;
}

/** What went on behind an answer, beside what it says itself. */
export interface Behind {
  /** What its calls gave, by number. */
  results: ReadonlyMap<number, { content: string; skills: readonly string[] }>;
  /** The texts of skills that became active for it, by name. */
  texts: ReadonlyMap<string, string>;
}

/** A message as readers of a shared conversation get it: nothing in it is of use for anything but reading. */
export function freezeMessage(message: Message, freezing: Freezing, behind: Behind): FrozenMessage {
  if (message.role === 'assistant') {
    return freezeAnswer(message, freezing, behind);
  }
  const { role, id, content, skills, attachments, createdAt } = message;
  const files = freezing.files && attachments ? { attachments } : {};
  return { role, id, content, skills, ...files, createdAt };
}

function freezeAnswer(answer: AssistantMessage, freezing: Freezing, behind: Behind): SharedAnswer {
  const { role, id, content, status, finishReason, error, ended, rounds, createdAt } = answer;
  const { details } = freezing;
  return {
    ...{ role, id, content, ended, createdAt },
    thinking: details ? answer.thinking : '',
    model: freezing.modelName(answer.model),
    status: status === 'running' ? 'interrupted' : status,
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(error ? { error: { code: error.code, message: error.message } } : {}),
    ...(rounds ? { rounds } : {}),
    activations: answer.activations.map(({ name, description, via, tokens }) => ({
      ...{ name, via, tokens, checksum: '' },
      description: details && freezing.maySeeSkill(name) ? description : '',
    })),
    toolCalls: answer.toolCalls.map((call) => freezeCall(call, freezing)),
    ...(details ? behindOf(answer, freezing, behind) : {}),
  };
}

function behindOf(
  { toolCalls }: AssistantMessage,
  { maySeeSkill }: Freezing,
  { results, texts }: Behind,
): Pick<SharedAnswer, 'results' | 'instructions'> {
  const told = [...texts].filter(([name]) => maySeeSkill(name));
  return {
    results: toolCalls.map((_, number) => {
      const result = results.get(number);
      return result?.skills.every(maySeeSkill) ? result.content : null;
    }),
    ...(told.length > 0 ? { instructions: Object.fromEntries(told) } : {}),
  };
}

function freezeCall(call: ToolCall, { files, details }: Freezing): ToolCall {
  const { id, name, input, error, summary, title, source, ms } = call;
  const isOwn = source === undefined;
  return {
    ...{ id, name, error },
    input: details ? input : isOwn ? namesIn(input) : {},
    summary: details || isOwn ? summary : error ? 'failed' : '',
    ...(title === undefined ? {} : { title }),
    ...(source === undefined ? {} : { source }),
    ...(ms === undefined ? {} : { ms }),
    ...(files && call.files ? { files: call.files } : {}),
  };
}

const shownNames = ['skill_name', 'name', 'file_path'];

/** What the line says of a call of one of our own tools, which are for skills. */
function namesIn(input: unknown): Record<string, unknown> {
  const given = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  return Object.fromEntries(given.filter(([key]) => shownNames.includes(key)));
}
