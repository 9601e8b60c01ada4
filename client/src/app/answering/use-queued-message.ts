import { maxFilesAttached } from '@knowhow/shared/chat/attachments';
import { maxSkillsPicked } from '@knowhow/shared/chat/chat';
import { useEffect, useState } from 'react';
import { type Draft, emptyDraft, useDraft } from '../../features/composer/use-draft.ts';
import { isSendable } from '../../features/composer/use-send.ts';
import type { TurnOutcome } from '../../features/turn/turn-runner.ts';

interface WaitingOptions {
  conversationId: string;
  /** Whether the last answer is complete, so that another message can be sent. */
  isNext: boolean;
  run: (message: Draft) => Promise<TurnOutcome | undefined>;
}

/**
 * The message that is queued until the answer is complete. Like a draft, it survives a reload. After a failed or
 * stopped answer, or if it is refused, it stays until the user sends it.
 */
export function useQueuedMessage({ conversationId, isNext, run }: WaitingOptions) {
  const { draft: message, change } = useDraft(`waiting:${conversationId}`);
  const [isRefused, setRefused] = useState(false);
  const isWaiting = isSendable(message);

  async function send() {
    change(emptyDraft);
    const outcome = await run(message);
    if (!outcome?.sent) {
      setRefused(true);
      change(message);
    }
  }

  useEffect(() => {
    if (isWaiting && isNext && !isRefused) {
      void send();
    }
  });

  return {
    /** Undefined if nothing is queued. */
    message: isWaiting ? message : undefined,
    /** Appends a message to the queued one; false if the result would be too long. */
    add: (added: Draft) => {
      const next = isWaiting ? joinDrafts(message, added) : added;
      if (!fitsOneMessage(next)) {
        return false;
      }
      setRefused(false);
      change(next);
      return true;
    },
    /** Removes the queued message and returns it. */
    take: () => {
      change(emptyDraft);
      return message;
    },
    send: () => void send(),
  };
}

function joinDrafts(one: Draft, other: Draft): Draft {
  return {
    text: [one.text, other.text].filter((text) => text !== '').join('\n\n'),
    skills: [...new Set([...one.skills, ...other.skills])],
    skillsOff: other.skillsOff ?? one.skillsOff,
    attachments: [...(one.attachments ?? []), ...(other.attachments ?? [])],
  };
}

function fitsOneMessage(message: Draft): boolean {
  const { skills, attachments = [] } = message;
  return (
    isSendable(message) &&
    skills.length <= maxSkillsPicked &&
    attachments.length <= maxFilesAttached
  );
}
