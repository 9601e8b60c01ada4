import { type Attachment, attachmentSchema } from '@knowhow/shared/chat/attachments';
import { maxSkillsPicked } from '@knowhow/shared/chat/chat';
import { isTemporary } from '@knowhow/shared/chat/is-temporary';
import { useState } from 'react';

/** An unsent message. */
export interface Draft {
  text: string;
  /** Names of the chosen skills. */
  skills: string[];
  /** Names of the skills that are switched off in the conversation; unchanged if omitted. */
  skillsOff?: string[] | undefined;
  /** Uploaded files of the message. */
  attachments?: Attachment[] | undefined;
}

export const emptyDraft: Draft = { text: '', skills: [] };

const prefix = 'knowhow-draft:';

/** The key of the draft of a new conversation. */
export const newDraft = 'new';

/** Chooses a skill for the next new conversation. */
export function addToNewDraft(skill: string): void {
  const { skills, ...rest } = readStoredDraft(newDraft);
  store(newDraft, { ...rest, skills: [...new Set([...skills, skill])].slice(-maxSkillsPicked) });
}

/** The key of the text and the skill of the example in the next new conversation. */
const exampleKey = `${prefix}example`;

/**
 * Writes an example of a skill into the next new conversation. It replaces an earlier example that the user left as it
 * was; their own text stays above it.
 */
export function addExampleToNewDraft(skill: string, text: string): void {
  const draft = readStoredDraft(newDraft);
  const isUntouched =
    sessionStorage.getItem(exampleKey) === JSON.stringify([draft.text, draft.skills.at(-1)]);
  const own = isUntouched ? { ...draft, text: '', skills: draft.skills.slice(0, -1) } : draft;
  const skills = [...new Set([...own.skills, skill])].slice(-maxSkillsPicked);
  // With the user's own text above it, the next example is added, too.
  sessionStorage.setItem(exampleKey, own.text === '' ? JSON.stringify([text, skill]) : '');
  const written = own.text === '' ? text : `${own.text.trimEnd()}\n${text}`;
  store(newDraft, { ...own, skills, text: written });
}

/** Appends to the first message of the next new conversation. */
export function addTextToNewDraft(added: string): void {
  const { text, ...rest } = readStoredDraft(newDraft);
  store(newDraft, { ...rest, text: text === '' ? added : `${text.trimEnd()} ${added}` });
}

/** A draft that survives a reload, one per key; drafts of temporary chats do not. */
export function useDraft(key: string) {
  const [draft, setDraft] = useState(() => readStoredDraft(key));

  function change(changed: Draft) {
    update(() => changed);
  }

  /** Updates the latest text. */
  function update(changed: (now: Draft) => Draft) {
    setDraft((now) => {
      const next = changed(now);
      store(key, next);
      return next;
    });
  }

  /** Restores a message that could not be sent, before text written in the meantime. */
  function giveBack(message: Draft) {
    const join = (written: Draft) => ({
      text: [message.text, written.text].filter((text) => text !== '').join('\n'),
      skills: [...new Set([...message.skills, ...written.skills])],
      skillsOff: written.skillsOff ?? message.skillsOff,
      attachments: [...(message.attachments ?? []), ...(written.attachments ?? [])],
    });
    if (isPageOnly(key)) {
      update(join);
    } else {
      // The page may be unmounted.
      change(join(readStoredDraft(key)));
    }
  }

  return { draft, change, update, giveBack };
}

/** Deletes all drafts when the user may change. */
export function deleteDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) {
      sessionStorage.removeItem(key);
    }
  }
}

/** Drafts and queued messages of a temporary chat exist only on its page. */
function isPageOnly(key: string): boolean {
  return isTemporary(key.slice(-36));
}

function store(key: string, draft: Draft): void {
  if (isPageOnly(key)) {
    return;
  }
  const { text, skills, skillsOff, attachments = [] } = draft;
  if (text === '' && skills.length === 0 && attachments.length === 0 && skillsOff === undefined) {
    sessionStorage.removeItem(prefix + key);
    return;
  }
  try {
    sessionStorage.setItem(prefix + key, JSON.stringify(draft));
  } catch {
    // Too large to store: the text stays on the page, but does not survive it.
    sessionStorage.removeItem(prefix + key);
  }
}

function readStoredDraft(key: string): Draft {
  try {
    const { text, skills, skillsOff, attachments } = JSON.parse(
      sessionStorage.getItem(prefix + key) ?? '',
    );
    return {
      text: String(text),
      skills: Array.isArray(skills) ? skills.map(String) : [],
      ...(Array.isArray(skillsOff) ? { skillsOff: skillsOff.map(String) } : {}),
      ...(Array.isArray(attachments)
        ? { attachments: attachments.map((file) => attachmentSchema.parse(file)) }
        : {}),
    };
  } catch {
    return emptyDraft;
  }
}
