import { Problem, problem } from '@knowhow/shared/problem';
import { summarizeLeftOut } from '@knowhow/shared/skills/left-out';
import {
  type ArchiveReport,
  type Installed,
  maxSkillUpload,
  skillArchivesApi,
} from '@knowhow/shared/skills/skill-archives';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { refreshSkills } from '../../api/refresh-skills.ts';
import { upload } from '../../api/upload.ts';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { type Choices, importQuery } from './import-plan.ts';
import { mixesArchives, packFiles, totalBytes } from './pack-files.ts';

/** Larger files are not even read into memory. */
const mostBytes = 4 * maxSkillUpload;

/** Progress of an import. */
export type ImportStep =
  | { kind: 'choose'; isAgain: boolean }
  | { kind: 'packing' }
  /** `sent` goes from 0 to 1; then the server checks the archive. */
  | { kind: 'sending'; sent: number }
  | { kind: 'refused'; error: unknown }
  | {
      kind: 'review';
      archive: File;
      report: ArchiveReport;
      /** Upload progress during the installation. */
      installing?: number;
      error?: unknown;
    }
  | { kind: 'done'; installed: Installed['installed'] };

/** An import, from the selection to the result. Closing it aborts an upload. */
export function useImport() {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const queryClient = useQueryClient();
  const [step, setStep] = useState<ImportStep>({ kind: 'choose', isAgain: false });
  const running = useRef(new AbortController());

  useEffect(() => () => running.current.abort(), []);

  function refusalOf(selected: SelectedFile[]): Problem | undefined {
    if (mixesArchives(selected)) {
      return problem('invalid-archive', t('skillImport.oneArchive'));
    }
    const size = totalBytes(selected);
    return size > mostBytes ? tooLarge(size) : undefined;
  }

  function tooLarge(size: number): Problem {
    const values = { size: bytes(size), most: bytes(maxSkillUpload) };
    return problem('too-large', t('skillImport.tooLarge', values));
  }

  /** Previews the selection. */
  async function start(selected: SelectedFile[]): Promise<void> {
    running.current.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    const show = (next: ImportStep) => signal.aborted || setStep(next);
    try {
      const refusal = refusalOf(selected);
      if (refusal) {
        throw refusal;
      }
      show({ kind: 'packing' });
      const { archive, leftOut } = await packFiles(selected);
      if (archive.size > maxSkillUpload) {
        throw tooLarge(archive.size);
      }
      show({ kind: 'sending', sent: 0 });
      const report = await upload(
        skillArchivesApi.validate,
        { file: archive },
        { signal, onProgress: (sent) => show({ kind: 'sending', sent }) },
      );
      const all = { ...report, leftOut: summarizeLeftOut([...leftOut, ...report.leftOut]) };
      show({ kind: 'review', archive, report: all });
    } catch (error) {
      show({ kind: 'refused', error });
    }
  }

  /** Installs the selected skills of the previewed archive. */
  async function install(choices: Choices): Promise<void> {
    if (step.kind !== 'review') {
      return;
    }
    const { error: _last, ...review } = step;
    setStep({ ...review, installing: 0 });
    try {
      const query = importQuery(step.report.skills, choices);
      const onProgress = (installing: number) => setStep({ ...review, installing });
      const { installed } = await sendTokenOrArchive(step, (file) =>
        upload(skillArchivesApi.import, { file, query }, { onProgress }),
      );
      setStep({ kind: 'done', installed });
      await refreshSkills(queryClient);
    } catch (error) {
      setStep({ ...review, error });
    }
  }

  return { step, start, install, reset: () => setStep({ kind: 'choose', isAgain: true }) };
}

interface Reviewed {
  archive: File;
  report: Pick<ArchiveReport, 'token'>;
}

/** Sends the token of an archive that the server has cached, or the archive itself otherwise. */
async function sendTokenOrArchive<Result>(
  { archive, report: { token } }: Reviewed,
  send: (file: File) => Promise<Result>,
): Promise<Result> {
  if (token === undefined) {
    return send(archive);
  }
  const type = 'application/json';
  const file = new File([JSON.stringify({ token })], 'token.json', { type });
  return send(file).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'upload-expired') {
      return send(archive);
    }
    throw error;
  });
}
