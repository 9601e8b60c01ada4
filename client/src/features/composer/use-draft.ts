import { useState } from 'react';

/** A message that is not sent yet. */
export interface Draft {
  text: string;
  /** Names of the chosen skills. */
  skills: string[];
}

export const emptyDraft: Draft = { text: '', skills: [] };

const prefix = 'knowhow-draft:';

/** A draft that outlives a reload, one for each key. */
export function useDraft(key: string) {
  const [draft, setDraft] = useState(() => storedDraft(key));

  function change(changed: Draft) {
    store(key, changed);
    setDraft(changed);
  }

  /** Puts a message back that could not be sent, before what was written meanwhile. */
  function giveBack(message: Draft) {
    const written = storedDraft(key);
    change({
      text: [message.text, written.text].filter((text) => text !== '').join('\n'),
      skills: [...new Set([...message.skills, ...written.skills])],
    });
  }

  return { draft, change, giveBack };
}

/** Forgets all drafts, when somebody else may sit down here. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) {
      sessionStorage.removeItem(key);
    }
  }
}

function store(key: string, draft: Draft): void {
  if (draft.text === '' && draft.skills.length === 0) {
    sessionStorage.removeItem(prefix + key);
  } else {
    sessionStorage.setItem(prefix + key, JSON.stringify(draft));
  }
}

function storedDraft(key: string): Draft {
  try {
    const { text, skills } = JSON.parse(sessionStorage.getItem(prefix + key) ?? '');
    return { text: String(text), skills: Array.isArray(skills) ? skills.map(String) : [] };
  } catch {
    return emptyDraft;
  }
}
