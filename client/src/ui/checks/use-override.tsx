import { Problem } from '@knowhow/shared/problem';
import {
  findFailedChecks,
  type PublicationCheck,
  publicationChecks,
} from '@knowhow/shared/skills/publication-checks';
import { type ReactNode, useState } from 'react';
import { useRight } from '../rights.ts';
import { OverrideField } from './override-field.tsx';

export interface Override {
  /** Takes the error of the request: after `check-failed`, the field appears. */
  onError: (error: unknown) => void;
  /** Forgets the failed checks and the reason. */
  reset: () => void;
  /** The reason to send with the request, once there is one. */
  reason: string | undefined;
  /** Whether no reason is missing. */
  isReady: boolean;
  field: ReactNode;
}

/**
 * Asks for the reason to publish in spite of required checks, after the server has refused because of them.
 *
 * @param expected failed checks that are known before
 */
export function useOverride(expected: readonly PublicationCheck[] = []): Override {
  const isPublisher = useRight('publish');
  const [refused, setRefused] = useState<readonly PublicationCheck[]>([]);
  const [text, setText] = useState('');
  const failed = publicationChecks.filter((id) => expected.includes(id) || refused.includes(id));
  const isNeeded = failed.length > 0;
  const reason = text.trim();
  return {
    onError: (error) => {
      const checks = error instanceof Problem ? findFailedChecks(error) : [];
      if (checks.length > 0) {
        setRefused(checks);
      }
    },
    reset: () => {
      setRefused([]);
      setText('');
    },
    reason: isNeeded && reason !== '' ? reason : undefined,
    isReady: !isNeeded || (isPublisher && reason !== ''),
    field: isNeeded && (
      <OverrideField failed={failed} value={text} onChange={setText} isAllowed={isPublisher} />
    ),
  };
}
