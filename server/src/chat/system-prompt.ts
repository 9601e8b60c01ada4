import type { ActiveSkills } from '../skills/activate-skill.ts';

interface SystemPromptParts {
  /** The app's own prompt; may be empty. */
  app: string;
  /** The `<available_skills>` block; may be empty. */
  catalogue: string;
  /** The `<recommended_skills>` block; may be empty. */
  recommended: string;
  active: ActiveSkills;
  /** Names the user has just picked. */
  picked: readonly string[];
  usesTools: boolean;
}

const withTools = `The skills below hold instructions for particular tasks. When a task matches the description of a skill, call activate_skill with its name before you answer, and then follow its instructions. Prefer a matching skill over general knowledge.`;

const withoutTools = `The skills below hold instructions for particular tasks. You cannot load them yourself: when one matches the task and is not active, say that the user can apply it by typing "/" and its name.`;

const recommendedWithTools = `The skills below are the ones this app is made for. Call activate_skill with the name of one to get its full instructions before you answer, when the task fits it.`;

const recommendedWithoutTools = `The skills below are the ones this app is made for. You cannot load them yourself: when the task fits one that is not active, say that the user can apply it by typing "/" and its name.`;

/**
 * The app's prompt, then the catalogue, the recommended skills, and the active skills. Nothing of it comes
 * from a client.
 */
export function renderSystemPrompt(parts: SystemPromptParts): string {
  const { app, catalogue, recommended, active, picked, usesTools } = parts;
  const instruction = usesTools ? withTools : withoutTools;
  const recommendation = usesTools ? recommendedWithTools : recommendedWithoutTools;
  const contents = [...active.values()].map(({ content }) => content);
  return [
    app.trim(),
    ...(catalogue === '' ? [] : [`${instruction}\n\n${catalogue}`]),
    ...(recommended === '' ? [] : [`${recommendation}\n\n${recommended}`]),
    ...(contents.length === 0 ? [] : [[introduce(active, picked), ...contents].join('\n\n')]),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function introduce(active: ActiveSkills, picked: readonly string[]): string {
  const names = [...active.keys()].join(', ');
  const sentence = `These skills are active in this conversation; follow their instructions and do not load them again: ${names}.`;
  return picked.length === 0
    ? sentence
    : `${sentence} For this message the user asks for: ${picked.join(', ')}.`;
}
