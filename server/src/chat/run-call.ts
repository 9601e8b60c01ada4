import type { ChatEvent } from '@knowhow/shared/chat';
import type { AssistantMessage } from '@knowhow/shared/conversations';
import {
  activeSkillsOf,
  addActivation,
  answerRecord,
  endedSkill,
  type Records,
} from '../conversations/records.ts';
import type { TurnStore } from '../conversations/turn-store.ts';
import { countTokens, firstOf, isOver } from '../lib/count-tokens.ts';
import type { ModelToolCall } from '../models/model.ts';
import { runTool } from '../tools/run-tool.ts';
import { refusal, type ToolContext, type ToolResult } from '../tools/tool.ts';
import { windowIn } from './correct-estimate.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { maxActiveSkills } from './start-skills.ts';
import type { TurnAccess } from './turn-access.ts';

interface CallTools {
  conversations: TurnStore;
  misses: ToolContext['misses'];
}

/** The longest result, in tokens. */
const longestResult = 64_000;
const leastResult = 200;

/** How many tokens a result may have so that the turn, with what it has already, finds room in the window. */
function roomForResult(records: Records, access: TurnAccess): number {
  const { request } = windowIn(records, access);
  const [user, answer] = records.messages.slice(-2);
  const results = (answer && records.answers.get(answer.id)?.results) ?? [];
  const activated = records.activations.filter(({ messageId }) => messageId === user?.id);
  const texts = [user?.content ?? '', ...results.map(({ content }) => content)];
  const own =
    activated.reduce((sum, { activation }) => sum + activation.tokens, 0) +
    texts.reduce((sum, text) => sum + countTokens(text), 0);
  return Math.max(leastResult, Math.min(longestResult, request / 2 - own));
}

function cutTo(content: string, tokens: number): string {
  const first = firstOf(content, tokens);
  return first === content
    ? content
    : `${first}\n\n[The result was longer than there is room for, and is cut here. Ask for less of it.]`;
}

/** What is kept of a call: one whose arguments find no room in later requests has none. */
function bounded(call: ModelToolCall, room: number): { call: ModelToolCall; isTooLong: boolean } {
  const isTooLong = isOver(JSON.stringify(call.input) ?? '', room);
  return { call: isTooLong ? { ...call, input: {} } : call, isTooLong };
}

/** Calls that an answer may make, and how often the same one. */
const mostCalls = 32;
const mostAlike = 2;

const tooLong = refusal(
  'The arguments of this call were too long, and were not read. Call the tool again with short ones, or answer without it.',
  'arguments too long',
);

/** What a call too many gets. */
function refuse(call: ModelToolCall, { toolCalls }: AssistantMessage): ToolResult | undefined {
  if (toolCalls.length >= mostCalls) {
    return refusal(
      `No more tools can be called for this answer: ${mostCalls} calls are the limit. Answer with what you have.`,
      'too many calls',
    );
  }
  const written = JSON.stringify(call.input);
  const alike = toolCalls.filter(
    ({ name, input }) => name === call.name && JSON.stringify(input) === written,
  );
  return alike.length < mostAlike
    ? undefined
    : refusal(
        `You have this already: this very call was answered ${alike.length} times above. Go on with what it gave.`,
        'called before',
      );
}

/** Runs a call of the model and records what it gave. Yields what the user is to see. */
export async function* runCall(
  made: ModelToolCall,
  { start, records, steps }: PreparedTurn,
  access: TurnAccess,
  { conversations, misses }: CallTools,
): AsyncGenerator<ChatEvent, ToolResult> {
  const room = roomForResult(records, access);
  const { call, isTooLong } = bounded(made, room);
  const { id, name, input } = call;
  const { answer, conversation, user } = start;
  const { app, config, model, offered } = access;
  yield { type: 'tool.call.start', id, name, input };
  const at = Date.now();
  const began = performance.now();
  const { view, tools } = offered();
  const active = activeSkillsOf(records);
  const result =
    (isTooLong ? tooLong : refuse(call, answer)) ??
    (await runTool(call, tools, {
      view,
      active,
      maxActiveSkills: maxActiveSkills(app, config),
      modelSees: model.config.supportsVision === true,
      resultRoom: room,
      longestSkill: windowIn(records, access).skill,
      misses,
    }));
  const ms = performance.now() - began;
  const { activation, isError, summary, images, skills = [], refused, found } = result;
  const number = answer.toolCalls.length;
  steps.push({
    ...{ type: 'tool', number, name, at, ms, isError },
    ...(refused ? { refused: [refused] } : {}),
    ...(found === undefined ? {} : { found }),
  });
  const activated = activation && active.get(activation.name);
  if (activated) {
    const at = { messageId: user.id, call: answer.toolCalls.length };
    const { added, replaced } = addActivation(records, activated, at);
    await conversations.addActivation(conversation.id, added, replaced);
    answer.activations.push(activated.activation);
    for (const ended of replaced ? endedSkill(replaced) : []) {
      answer.ended.push(ended);
      yield { type: 'skill.ended', ...ended };
    }
    yield { type: 'skill.activation', ...activated.activation };
  }
  answerRecord(records, answer).results.push({
    content: activated ? '' : cutTo(result.content, room),
    isError,
    ...(images ? { images } : {}),
    skills,
    ms: Math.round(ms),
  });
  answer.toolCalls.push({ id, name, input, error: isError, summary });
  const round = answer.rounds?.at(-1);
  if (round) {
    round.calls += 1;
  }
  yield { type: 'tool.call.end', id, name, ...(isError ? { error: isError } : {}), summary };
  return result;
}
