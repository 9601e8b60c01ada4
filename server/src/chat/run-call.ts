import type { ChatEvent } from '@knowhow/shared/chat';
import type { ModelToolCall } from '../models/model.ts';
import { runTool } from '../tools/run-tool.ts';
import type { ToolContext, ToolResult } from '../tools/tool.ts';
import type { ConversationStore } from './conversation-store.ts';
import type { PreparedTurn } from './prepare-turn.ts';
import { activeSkillsOf, addActivation, answerRecord, endedSkill } from './records.ts';
import { maxActiveSkills } from './start-skills.ts';
import type { TurnAccess } from './turn-access.ts';

interface CallTools {
  conversations: ConversationStore;
  misses: ToolContext['misses'];
}

/** Runs a call of the model and records what it gave. Yields what the user is to see. */
export async function* runCall(
  call: ModelToolCall,
  { start, records }: PreparedTurn,
  access: TurnAccess,
  { conversations, misses }: CallTools,
): AsyncGenerator<ChatEvent, ToolResult> {
  const { id, name, input } = call;
  const { answer, conversation, user } = start;
  const { app, config, model, offered } = access;
  yield { type: 'tool.call.start', id, name, input };
  const began = performance.now();
  const { view, tools } = offered();
  const active = activeSkillsOf(records);
  const result = await runTool(call, tools, {
    view,
    active,
    maxActiveSkills: maxActiveSkills(app, config),
    modelSees: model.config.supportsVision === true,
    misses,
  });
  const { activation, isError, summary, images, skills = [] } = result;
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
    content: activated ? '' : result.content,
    isError,
    ...(images ? { images } : {}),
    skills,
    ms: Math.round(performance.now() - began),
  });
  answer.toolCalls.push({ id, name, input, error: isError, summary });
  const round = answer.rounds?.at(-1);
  if (round) {
    round.calls += 1;
  }
  yield { type: 'tool.call.end', id, name, ...(isError ? { error: isError } : {}), summary };
  return result;
}
