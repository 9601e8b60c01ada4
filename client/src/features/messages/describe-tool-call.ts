import type { Activation } from '@knowhow/shared/chat/chat';
import type { ToolCall } from '@knowhow/shared/chat/conversations';
import { plainName } from '@knowhow/shared/names';

/** A built-in tool call, for a description of its own in the chat. */
export type ToolCallSummary =
  | { kind: 'read'; file: string; skill: string }
  | { kind: 'activate'; skill: string }
  | { kind: 'other'; tool: string };

export function describeToolCall({ name, input }: ToolCall): ToolCallSummary {
  // Models that know other platforms send `name`.
  const skill = getText(input, 'skill_name') ?? getText(input, 'name');
  const file = getText(input, 'file_path');
  if (name === 'read_skill_resource' && skill && file) {
    return { kind: 'read', file, skill };
  }
  if (name === 'activate_skill' && skill) {
    return { kind: 'activate', skill };
  }
  return { kind: 'other', tool: name };
}

/** The distinct skill files read for an answer. Models write names in any case. */
export function filesRead(toolCalls: readonly ToolCall[], skill: string): string[] {
  const files = toolCalls
    .filter((call) => !call.error)
    .map(describeToolCall)
    .flatMap((call) =>
      call.kind === 'read' && plainName(call.skill) === plainName(skill) ? [call.file] : [],
    );
  return [...new Set(files)];
}

/** A call with its number in the answer; some models reuse call IDs in each round. */
export interface NumberedCall {
  call: ToolCall;
  number: number;
}

/** The tool calls that are shown as lines: neither an activation with a card, nor a call that is still unknown. */
export function shownToolCalls(
  toolCalls: readonly ToolCall[],
  activations: readonly Activation[],
): NumberedCall[] {
  const cards = new Set(activations.map(({ name }) => plainName(name)));
  const numbered = toolCalls.map((call, number) => ({ call, number }));
  return numbered.filter(({ call }) => {
    const described = describeToolCall(call);
    const ended = call.error || call.summary !== '';
    return (
      described.kind !== 'activate' ||
      (ended && !cards.has(plainName(described.skill))) ||
      call.error
    );
  });
}

function getText(input: unknown, field: string): string | undefined {
  if (typeof input !== 'object' || input === null || !(field in input)) {
    return undefined;
  }
  const value: unknown = input[field as keyof typeof input];
  return typeof value === 'string' ? value : undefined;
}
