import { maxMessageLength, maxSkillsPicked } from '@knowhow/shared/chat/chat';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { appSkillsQuery, findSkillByName, matchingSkillsQuery } from './skills-of.ts';
import { type ExtractedSkills, extractSkills, hasSlashName } from './slash.ts';
import type { Draft } from './use-draft.ts';
import type { Palette } from './use-palette.ts';

/** Why a text was not sent: its first word is not a skill, or the lookup failed. */
export type SendWarning = { unknown: string } | { error: unknown };

interface SendOptions {
  appId: string;
  draft: Draft;
  /** Whether nothing can be sent now. */
  busy: boolean;
  palette: Palette;
  onSend: (message: Draft) => void;
  /** Stores the remaining text in the draft. */
  write: (text: string, skills: string[]) => void;
}

/** Sends the draft; skills typed at its beginning (`/name text`) are sent by name. */
export function useSend({ appId, draft, busy, palette, onSend, write }: SendOptions) {
  const { text } = draft;
  const takeSkills = useExtractSkills(appId);
  const [stored, setStored] = useState<{ text: string; doubt: SendWarning }>();
  const doubt = stored?.text === text ? stored.doubt : undefined;
  const isReady = !palette.isWaiting && (appId !== '' || !beginsWithSlash(text));
  const wait = useWaiting({ isReady, text, act: chooseOrSend });

  function chooseOrSend() {
    if (palette.isOpen && palette.matches.length > 0) {
      palette.choose(palette.active);
    } else {
      void send();
    }
  }

  async function send() {
    if (busy || !isSendable(draft)) {
      return;
    }
    if (!hasSlashName(text)) {
      onSend(draft);
      return;
    }
    try {
      const { skills, message, unknown } = await takeSkills(text);
      if (unknown !== undefined && !(doubt && 'unknown' in doubt)) {
        setStored({ text, doubt: { unknown } });
      } else {
        sendTaken(message, [...new Set([...draft.skills, ...skills])].slice(0, maxSkillsPicked));
      }
    } catch (error) {
      setStored({ text, doubt: { error } });
    }
  }

  function sendTaken(message: string, skills: string[]) {
    if (message.trim() === '') {
      write('', skills);
    } else {
      onSend({ ...draft, text: message, skills });
    }
  }

  return { submit: () => (isReady ? send() : wait()), doubt };
}

/** Whether the message is neither empty nor too long. */
export function isSendable({ text, attachments = [] }: Draft): boolean {
  return (text.trim() !== '' || attachments.length > 0) && text.length <= maxMessageLength;
}

function beginsWithSlash(text: string): boolean {
  return text.trimStart().startsWith('/');
}

interface Waiting {
  isReady: boolean;
  text: string;
  act: () => void;
}

/** Acts once the options are known, unless the text has changed by then. */
function useWaiting({ isReady, text, act }: Waiting): () => void {
  const [waiting, setWaiting] = useState<string>();
  useEffect(() => {
    if (waiting !== undefined && isReady) {
      setWaiting(undefined);
      if (waiting === text) {
        act();
      }
    }
  });
  return () => setWaiting(text);
}

/** Returns a function that extracts the skills at the beginning of a text (`/name text`). */
function useExtractSkills(appId: string): (text: string) => Promise<ExtractedSkills> {
  const queryClient = useQueryClient();

  async function find(typed: string): Promise<string | undefined> {
    const { items, isAll } = await queryClient.fetchQuery(appSkillsQuery(appId));
    const known = findSkillByName(items, typed);
    if (known || isAll) {
      return known?.name;
    }
    const found = await queryClient.fetchQuery(matchingSkillsQuery(appId, typed));
    return findSkillByName(found.items, typed)?.name;
  }

  return (text) => extractSkills(text, find);
}
