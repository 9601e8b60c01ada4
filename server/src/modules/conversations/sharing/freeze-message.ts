import type { AssistantMessage, Message, ToolCall } from '@knowhow/shared/chat/conversations';
import type { SharedAnswer, SharedConversation } from '@knowhow/shared/chat/sharing';

/** A message as shown to readers of a shared or exported conversation. */
export type FrozenMessage = SharedConversation['messages'][number];

/** Options for a copy of a conversation, and what it may disclose. */
export interface FreezeOptions {
  files: boolean;
  details: boolean;
  /** Display name of a model, by ID. */
  modelName: (id: string) => string;
  /** Whether the person who shares may see a skill, by name. */
  maySeeSkill: (name: string) => boolean;
}

/** Details of an answer that the answer itself does not contain. */
export interface AnswerExtras {
  /** Results of its tool calls, by number. */
  results: ReadonlyMap<number, { content: string; skills: readonly string[] }>;
  /** Texts of the skills activated for it, by name. */
  texts: ReadonlyMap<string, string>;
}

/** Sanitizes a message for readers of a shared conversation: they can only read it. */
export function freezeMessage(
  message: Message,
  freezing: FreezeOptions,
  behind: AnswerExtras,
): FrozenMessage {
  if (message.role === 'assistant') {
    return freezeAnswer(message, freezing, behind);
  }
  const { role, id, content, skills, attachments, createdAt } = message;
  const files = freezing.files && attachments ? { attachments } : {};
  return { role, id, content, skills, ...files, createdAt };
}

function freezeAnswer(
  answer: AssistantMessage,
  freezing: FreezeOptions,
  behind: AnswerExtras,
): SharedAnswer {
  const { role, id, content, status, finishReason, error, ended, rounds, createdAt } = answer;
  const { details } = freezing;
  return {
    role,
    id,
    content,
    ended,
    createdAt,
    thinking: details ? answer.thinking : '',
    model: freezing.modelName(answer.model),
    status: status === 'running' ? 'interrupted' : status,
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(error ? { error: { code: error.code, message: error.message } } : {}),
    ...(rounds ? { rounds } : {}),
    activations: answer.activations.map(({ name, description, via, tokens }) => ({
      name,
      via,
      tokens,
      checksum: '',
      description: details && freezing.maySeeSkill(name) ? description : '',
    })),
    toolCalls: answer.toolCalls.map((call) => freezeCall(call, freezing)),
    ...(details ? disclosedDetails(answer, freezing, behind) : {}),
  };
}

function disclosedDetails(
  { toolCalls }: AssistantMessage,
  { maySeeSkill }: FreezeOptions,
  { results, texts }: AnswerExtras,
): Pick<SharedAnswer, 'results' | 'instructions'> {
  const disclosed = [...texts].filter(([name]) => maySeeSkill(name));
  return {
    results: toolCalls.map((_, number) => {
      const result = results.get(number);
      return result?.skills.every(maySeeSkill) ? result.content : null;
    }),
    ...(disclosed.length > 0 ? { instructions: Object.fromEntries(disclosed) } : {}),
  };
}

function freezeCall(call: ToolCall, { files, details }: FreezeOptions): ToolCall {
  const { id, name, input, error, summary, title, source, toolKey, sourceKey, ms } = call;
  const isSkillTool = source === undefined;
  return {
    id,
    name,
    error,
    input: details ? input : isSkillTool ? pickNames(input) : {},
    summary: details || isSkillTool ? summary : error ? 'failed' : '',
    ...(title === undefined ? {} : { title }),
    ...(source === undefined ? {} : { source }),
    ...(toolKey === undefined ? {} : { toolKey }),
    ...(sourceKey === undefined ? {} : { sourceKey }),
    ...(ms === undefined ? {} : { ms }),
    ...(files && call.files ? { files: call.files } : {}),
  };
}

const nameFields = ['skill_name', 'name', 'file_path'];

/** The arguments of a skill tool's call that are shown in its line. */
function pickNames(input: unknown): Record<string, unknown> {
  const given = typeof input === 'object' && input !== null ? Object.entries(input) : [];
  return Object.fromEntries(given.filter(([key]) => nameFields.includes(key)));
}
