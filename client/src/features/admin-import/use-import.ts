import { Problem, problem } from '@knowhow/shared/problem';
import type { GitCommit, GitProgress } from '@knowhow/shared/skills/git-commit';
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
import type { Override } from '../../ui/checks/use-override.tsx';
import type { SelectedFile } from '../../ui/files/selected-files.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import { type Choices, planImport, type Selection } from './import-plan.ts';
import { isSentUnchanged, mixesArchives, packFiles, totalBytes } from './pack-files.ts';
import { type AddressInput, readAddress } from './read-address.ts';

/** A selection of several files is packed in memory. */
const maxPacked = 128 * 1024 * 1024;

/** The import that was reviewed: an archive of this device, or a commit that the server has read. */
export type ImportSource = { kind: 'archive'; file: File } | { kind: 'commit'; commit: GitCommit };

/** Progress of an import. */
export type ImportStep =
  | { kind: 'choose'; isAgain: boolean }
  | { kind: 'packing' }
  /** `sent` goes from 0 to 1; then the server checks the archive. */
  | { kind: 'sending'; sent: number }
  /** The server reads a git repository. */
  | { kind: 'reading'; progress: GitProgress }
  | { kind: 'refused'; error: unknown }
  | {
      kind: 'review';
      source: ImportSource;
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
  const [address, setAddress] = useState<AddressInput>();
  const running = useRef(new AbortController());

  useEffect(() => () => running.current.abort(), []);

  function refusalOf(selected: SelectedFile[]): Problem | undefined {
    if (mixesArchives(selected)) {
      return problem('invalid-archive', t('skillImport.oneArchive'));
    }
    const size = totalBytes(selected);
    const most = isSentUnchanged(selected) ? maxSkillUpload : maxPacked;
    const values = { size: bytes(size), most: bytes(most) };
    return size > most ? problem('too-large', t('skillImport.tooLarge', values)) : undefined;
  }

  /** Runs one preview, and ends the one before. */
  async function preview(
    run: (signal: AbortSignal, show: (step: ImportStep) => void) => Promise<void>,
  ): Promise<void> {
    running.current.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    const show = (next: ImportStep) => {
      if (!signal.aborted) {
        setStep(next);
      }
    };
    try {
      await run(signal, show);
    } catch (error) {
      show({ kind: 'refused', error });
    }
  }

  /** Previews the selection. */
  const start = (selected: SelectedFile[]) =>
    preview(async (signal, show) => {
      const refusal = refusalOf(selected);
      if (refusal) {
        throw refusal;
      }
      show({ kind: 'packing' });
      const { archive: file, leftOut } = await packFiles(selected);
      show({ kind: 'sending', sent: 0 });
      const report = await upload(
        skillArchivesApi.validate,
        { file },
        { signal, onProgress: (sent) => show({ kind: 'sending', sent }) },
      );
      const all = { ...report, leftOut: summarizeLeftOut([...leftOut, ...report.leftOut]) };
      show({ kind: 'review', source: { kind: 'archive', file }, report: all });
    });

  /** Previews a git repository. */
  const startAddress = (input: AddressInput) =>
    preview(async (signal, show) => {
      setAddress(input);
      show({ kind: 'reading', progress: { phase: 'connecting' } });
      const { report, commit } = await readAddress(input, {
        signal,
        onProgress: (progress) => show({ kind: 'reading', progress }),
      });
      show({ kind: 'review', source: { kind: 'commit', commit }, report });
    });

  /** Installs the selected skills of the previewed archive or commit. */
  async function install(
    choices: Choices,
    { reason, onError }: Pick<Override, 'reason' | 'onError'>,
  ): Promise<void> {
    if (step.kind !== 'review') {
      return;
    }
    const { error: _last, ...review } = step;
    setStep({ ...review, installing: 0 });
    try {
      const { selection, overwrite } = planImport(step.report.skills, choices);
      const onProgress = (installing: number) => setStep({ ...review, installing });
      const { installed } = await sendTokenOrSource(step, selection, (file, query) =>
        upload(
          skillArchivesApi.import,
          { file, query: { ...query, overwrite, override: reason } },
          { onProgress },
        ),
      );
      setStep({ kind: 'done', installed });
      await refreshSkills(queryClient);
    } catch (error) {
      onError(error);
      setStep({ ...review, error });
    }
  }

  function reset() {
    running.current.abort();
    setStep({ kind: 'choose', isAgain: true });
  }

  return { step, address, start, startAddress, install, reset };
}

interface Reviewed {
  source: ImportSource;
  report: Pick<ArchiveReport, 'token'>;
}

type Send<Result> = (file: File, query?: SelectionQuery) => Promise<Result>;
interface SelectionQuery {
  select?: string;
  rename?: string;
}

/**
 * Sends the token of what the server has cached, with the selection: it may be too long for a query. If the token has
 * expired, the archive or the commit is read again for another one. An archive that the server does not cache is sent
 * with the selection in the query.
 */
async function sendTokenOrSource<Result>(
  { source, report: { token } }: Reviewed,
  selection: Selection,
  send: Send<Result>,
): Promise<Result> {
  const sendWith = (known: string | undefined) =>
    known === undefined && source.kind === 'archive'
      ? send(source.file, toQuery(selection))
      : send(tokenFile(known, selection));
  try {
    const isUnknown = token === undefined && source.kind === 'commit';
    return await sendWith(isUnknown ? await readAgain(source) : token);
  } catch (error) {
    if (error instanceof Problem && error.code === 'upload-expired') {
      return sendWith(await readAgain(source));
    }
    throw error;
  }
}

/** Returns another token. */
async function readAgain(source: ImportSource): Promise<string | undefined> {
  if (source.kind === 'archive') {
    return (await upload(skillArchivesApi.validate, { file: source.file })).token;
  }
  const { url, commit, path } = source.commit;
  const { signal } = new AbortController();
  return (await readAddress({ address: url, ref: commit, path }, { signal })).report.token;
}

function toQuery({ select, rename }: Selection): SelectionQuery {
  return {
    ...(select ? { select: select.join(',') } : {}),
    ...(rename ? { rename: rename.join(',') } : {}),
  };
}

function tokenFile(token: string | undefined, selection: Selection): File {
  const body = JSON.stringify({ token, ...selection });
  return new File([body], 'token.json', { type: 'application/json' });
}
