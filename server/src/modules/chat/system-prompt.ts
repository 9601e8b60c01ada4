interface SystemPromptParts {
  /** The app's own prompt; may be empty. */
  app: string;
  /** The `<available_skills>` block; may be empty. */
  catalogue: string;
  usesTools: boolean;
  /** Whether there are skills that can become active. */
  hasSkills: boolean;
}

const withTools = `The skills below hold instructions for particular tasks. When a task matches the description of a skill, call activate_skill with its name before you answer, and then follow its instructions. Prefer a matching skill over general knowledge.`;

const withoutTools = `The skills below hold instructions for particular tasks. You cannot load them yourself: when one matches the task and is not active, say that the user can apply it by typing "/" and its name.`;

const contents = `Instructions of active skills come in <skill_content> elements in this conversation. Follow them from there on, unless a line says that the skill has ended, and do not load them again.`;

/** A part of the prompt: the app's own text, the catalogue, or how to read skill texts. */
export interface SystemBlock {
  kind: 'app' | 'catalogue' | 'skills';
  text: string;
}

/** The app's prompt, then the catalogue. No part comes from a client. */
export function renderSystemPrompt(parts: SystemPromptParts): string {
  return joinBlocks(systemBlocks(parts));
}

/** The same as a list of non-empty parts. */
export function systemBlocks(parts: SystemPromptParts): SystemBlock[] {
  const { app, catalogue, usesTools, hasSkills } = parts;
  const instruction = usesTools ? withTools : withoutTools;
  const blocks: SystemBlock[] = [
    { kind: 'app', text: app.trim() },
    { kind: 'catalogue', text: catalogue && `${instruction}\n\n${catalogue}` },
    { kind: 'skills', text: hasSkills ? contents : '' },
  ];
  return blocks.filter(({ text }) => text !== '');
}

export function joinBlocks(blocks: readonly SystemBlock[]): string {
  return blocks.map(({ text }) => text).join('\n\n');
}
