import { backupApi, maxBackupUpload, type RestorePlan } from '@knowhow/shared/config/backup';
import { problem } from '@knowhow/shared/problem';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { upload } from '../../api/upload.ts';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { useFormat } from '../../ui/text/use-format.ts';

/** The preview of a restore, with the decisions to make. */
export interface Review {
  file: File;
  /** The contents of the whole backup: parts, or single items such as `skills/pdf`. */
  names: readonly string[];
  /** The parts that the preview covers; all if omitted. */
  only: string | undefined;
  plan: RestorePlan;
}

/** Progress of a restore. `sent` goes from 0 to 1; then the server is working. */
export type RestoreStep =
  | { kind: 'choose'; isAgain: boolean }
  | { kind: 'checking'; file: File; sent: number }
  | { kind: 'refused'; error: unknown }
  | { kind: 'review'; review: Review; error?: unknown }
  | { kind: 'restoring'; file: File; sent: number }
  | { kind: 'done'; plan: RestorePlan; snapshot: string | undefined };

/** A restore, from the selected file to its result. */
export function useRestore(onRestored: () => Promise<void>) {
  const backupOf = useBackupFile();
  const [step, setStep] = useState<RestoreStep>({ kind: 'choose', isAgain: false });
  const checking = useRef(new AbortController());

  useEffect(() => () => checking.current.abort(), []);

  /** Requests a preview, unless another request is pending. */
  async function check(file: File, only: string | undefined, last?: Review): Promise<void> {
    checking.current.abort();
    checking.current = new AbortController();
    const { signal } = checking.current;
    const show = (next: RestoreStep) => signal.aborted || setStep(next);
    show({ kind: 'checking', file, sent: 0 });
    try {
      const { plan } = await upload(
        backupApi.import,
        { file, query: { dryRun: 'true', only } },
        { signal, onProgress: (sent) => show({ kind: 'checking', file, sent }) },
      );
      show({ kind: 'review', review: { file, names: last?.names ?? plan.chosen, only, plan } });
    } catch (error) {
      show(last ? { kind: 'review', review: last, error } : { kind: 'refused', error });
    }
  }

  async function choose(files: SelectedFile[]): Promise<void> {
    try {
      await check(backupOf(files), undefined);
    } catch (error) {
      checking.current.abort();
      setStep({ kind: 'refused', error });
    }
  }

  /** Not aborted when the page is left: the progress would be unknown. */
  async function restore(review: Review): Promise<void> {
    const { file, only } = review;
    const onProgress = (sent: number) => setStep({ kind: 'restoring', file, sent });
    onProgress(0);
    try {
      const done = await upload(backupApi.import, { file, query: { only } }, { onProgress });
      setStep({ kind: 'done', plan: done.plan, snapshot: done.snapshot });
    } catch (error) {
      setStep({ kind: 'review', review, error });
      return;
    }
    await onRestored();
  }

  /** Requests a preview of other parts of the same backup. */
  const plan = (review: Review, only: string | undefined) => check(review.file, only, review);

  function reset() {
    checking.current.abort();
    setStep({ kind: 'choose', isAgain: true });
  }

  return { step, choose, plan, restore, reset };
}

/** Returns the only selected file, or throws a problem that explains what to select. */
function useBackupFile(): (files: SelectedFile[]) => File {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  return ([only, ...others]) => {
    if (!only || others.length > 0) {
      throw problem('invalid-archive', t('adminBackup.oneFile'));
    }
    if (only.file.size > maxBackupUpload) {
      const values = { size: bytes(only.file.size), most: bytes(maxBackupUpload) };
      throw problem('too-large', t('adminBackup.tooLarge', values));
    }
    return only.file;
  };
}
