import type { EndReason } from '@knowhow/shared/chat';
import type { ModelMessage, ModelToolCall } from '../models/model.ts';
import type { ToolResult } from '../tools/tool.ts';

/** What the model gets in a turn: what was said before it, then what its rounds have added. */
export interface TurnMessages {
  /** As it is now. */
  list(): ModelMessage[];
  /** Ids of the skills that something is said about. */
  skills(): Set<string>;
  addAnswer(answer: Extract<ModelMessage, { role: 'assistant' }>): void;
  addResult(call: ModelToolCall, result: ToolResult): void;
  /** Puts one line where something of this skill stood. */
  withdraw(skill: string, reason: EndReason): void;
  /** Puts other instructions where those of this skill stand. */
  replace(skill: string, content: string): void;
}

interface Entry {
  message: ModelMessage;
  /** Ids of the skills it mentions. */
  skills: readonly string[];
  /** The skill whose instructions it is. */
  instructs?: string | undefined;
}

export function turnMessages(before: readonly ModelMessage[]): TurnMessages {
  let entries: Entry[] = before.map((message) => ({ message, skills: [] }));
  return {
    list: () => entries.map(({ message }) => message),
    skills: () => new Set(entries.flatMap(({ skills }) => skills)),
    addAnswer: (message) => {
      entries.push({ message, skills: [] });
    },
    addResult: (call, result) => {
      const { skills = [], activation } = result;
      entries.push({ message: resultMessage(call, result), skills, instructs: activation?.name });
    },
    withdraw: (skill, reason) => {
      entries = entries.map((each) =>
        each.skills.includes(skill)
          ? { message: withContent(each.message, lines[reason](skill)), skills: [] }
          : each,
      );
    },
    replace: (skill, content) => {
      entries = entries.map((each) =>
        each.instructs === skill ? { ...each, message: withContent(each.message, content) } : each,
      );
    },
  };
}

const lines: Record<EndReason, (skill: string) => string> = {
  user: (skill) =>
    `The user has ended skill "${skill}": what stood here was taken out. Go on without it.`,
  'not-available': (skill) =>
    `Skill "${skill}" is not available any more: what stood here was taken out. Go on without it.`,
};

function resultMessage(call: ModelToolCall, result: ToolResult): ModelMessage {
  const { content, isError, images } = result;
  return {
    role: 'tool',
    callId: call.id,
    name: call.name,
    content,
    isError,
    ...(images ? { images } : {}),
  };
}

/** Without pictures. */
function withContent(message: ModelMessage, content: string): ModelMessage {
  if (message.role !== 'tool') {
    return message;
  }
  const { images: _, ...rest } = message;
  return { ...rest, content };
}
