import { setImmediate } from 'node:timers/promises';
import { demoTexts } from './demo-answer.ts';
import {
  readCatalogue,
  readSkillContents,
  readUserWords,
  type SkillContent,
} from './demo-skills.ts';
import type { AskModel, ModelEvent, ModelMessage, ModelRequest } from './model.ts';
import { asksForSkills, clearlyBest, detectMessageLanguage, rankByWords } from './rank-by-words.ts';

/**
 * The model of an installation without API keys; it says that it is not a language model. It activates the skill
 * whose words match the message with the real tool, and answers by quoting it.
 */
export const demoModel: AskModel = async function* demoModel(request, signal) {
  signal.throwIfAborted();
  const step = nextStep(request);
  if (step.type === 'activate') {
    const input = { skill_name: step.name };
    yield {
      type: 'tool-call',
      call: { id: `demo_${request.messages.length}`, name: activateTool, input },
    };
    yield usage(request, JSON.stringify(input));
    yield { type: 'stop', reason: 'tool-calls' };
    return;
  }
  for (const text of step.text.match(/[\s\S]{20,60}?(?=\s)|[\s\S]{1,60}/gu) ?? []) {
    yield { type: 'text', text };
    await setImmediate();
    signal.throwIfAborted();
  }
  yield usage(request, step.text);
  yield { type: 'stop', reason: 'stop' };
};

const activateTool = 'activate_skill';

type Step = { type: 'activate'; name: string } | { type: 'say'; text: string };

function nextStep({ system, messages, tools }: ModelRequest): Step {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const { words, picked: names } = readUserWords(messages[asked]?.content ?? '');
  const texts = demoTexts(detectMessageLanguage(words));
  const active = activeSkills(messages);
  const lastTried = lastActivation(messages.slice(asked + 1));
  if (lastTried) {
    const skill = lastTried.skills[0] ?? active.get(lastTried.name);
    return say(skill ? texts.quote([skill]) : texts.failed(lastTried.name, lastTried.result));
  }
  const picked = names.flatMap((name) => active.get(name) ?? []);
  if (picked.length > 0) {
    return say(texts.quote(picked));
  }
  const catalogue = readCatalogue(system);
  if (asksForSkills(words)) {
    return say(texts.list(catalogue));
  }
  const best = clearlyBest(rankByWords(words, catalogue))?.name;
  const again = best === undefined ? undefined : active.get(best);
  if (again) {
    return say(texts.quote([again]));
  }
  return best !== undefined && tools.some(({ name }) => name === activateTool)
    ? { type: 'activate', name: best }
    : say(texts.introduce(catalogue));
}

/** Skills whose instructions are in the messages, by name; the last version of each. */
function activeSkills(messages: readonly ModelMessage[]): Map<string, SkillContent> {
  const contents = messages
    .filter(({ role }) => role !== 'assistant')
    .flatMap(({ content }) => readSkillContents(content));
  return new Map(contents.map((skill) => [skill.name, skill]));
}

interface Activation {
  name: string;
  result: string;
  skills: SkillContent[];
}

/** The last activation of this turn, with the tool's result. */
function lastActivation(turn: ModelMessage[]): Activation | undefined {
  const result = turn.findLast((each) => each.role === 'tool' && each.name === activateTool);
  if (result?.role !== 'tool') {
    return undefined;
  }
  const call = turn
    .flatMap((each) => (each.role === 'assistant' ? each.toolCalls : []))
    .find(({ id }) => id === result.callId);
  return {
    name: getSkillName(call?.input),
    result: result.content,
    skills: readSkillContents(result.content),
  };
}

function getSkillName(input: unknown): string {
  return typeof input === 'object' && input !== null && 'skill_name' in input
    ? String(input.skill_name)
    : '';
}

function say(text: string): Step {
  return { type: 'say', text };
}

/** Estimates usage at four characters per token. */
function usage({ system, messages, tools }: ModelRequest, answer: string): ModelEvent {
  const read = system + messages.map(({ content }) => content).join('') + JSON.stringify(tools);
  return {
    type: 'usage',
    inputTokens: Math.ceil(read.length / 4),
    outputTokens: Math.ceil(answer.length / 4),
  };
}
