import type { VersionFile } from '@knowhow/shared/skills/skill-versions';
import { skillVersionsApi } from '@knowhow/shared/skills/skill-versions';
import { Modal, UnstyledButton } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { query } from '../../../api/query.ts';
import { buildUrl, send } from '../../../api/request.ts';
import { ScrollingGroup } from '../../../ui/layout/scrolling-group.tsx';
import { LoadError } from '../../../ui/loading/load-error.tsx';
import { useFormat } from '../../../ui/text/use-format.ts';
import { Rows } from '../rows.tsx';
import classes from './version-files.module.css';

interface VersionFilesProps {
  /** Name of the skill. */
  name: string;
  number: number;
  opened: boolean;
  onClose: () => void;
}

/** The files of a version, with the text of one of them. */
export function VersionFiles({ name, number, opened, onClose }: VersionFilesProps) {
  const { t } = useTranslation();
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('skillPage.filesOf', { number })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
      size="min(64rem, 96vw)"
      centered
    >
      <Files name={name} number={number} />
    </Modal>
  );
}

function Files({ name, number }: { name: string; number: number }) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const params = { skill: name, number };
  const version = useQuery(query(skillVersionsApi.get, { params }));
  const files = version.data?.files ?? [];
  const [chosen, setChosen] = useState<string>();
  const main = files.find(({ path }) => path.toLowerCase() === 'skill.md') ?? files[0];
  const shown = files.find(({ path }) => path === chosen) ?? main;
  return (
    <>
      <LoadError queries={[version]} />
      {version.isPending && <Rows />}
      {shown && (
        <div className={classes.files}>
          <ul className={classes.list}>
            {files.map((file) => (
              <li key={file.path}>
                <UnstyledButton
                  className={classes.file}
                  aria-label={t('skillPage.openFile', { path: file.path })}
                  aria-current={file === shown || undefined}
                  onClick={() => setChosen(file.path)}
                >
                  <span className={classes.path}>{file.path}</span>
                  <span className={classes.size}>{bytes(file.size)}</span>
                </UnstyledButton>
              </li>
            ))}
          </ul>
          <FileContent key={shown.path} params={params} file={shown} />
        </div>
      )}
    </>
  );
}

/** Longer texts are only downloaded. */
const maxShownBytes = 512 * 1024;

interface FileContentProps {
  params: { skill: string; number: number };
  file: VersionFile;
}

function FileContent({ params, file }: FileContentProps) {
  const { t } = useTranslation();
  const { path, size } = file;
  const input = { params: { ...params, path } };
  const text = useQuery({
    queryKey: [skillVersionsApi.file.path, input],
    queryFn: async ({ signal }) => {
      const response = await send(skillVersionsApi.file, input, { signal });
      return decodeText(await response.arrayBuffer());
    },
    enabled: size <= maxShownBytes,
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isUnshown = size > maxShownBytes || text.data === null;
  return (
    <div className={classes.content}>
      <div className={classes.head}>
        <span className={classes.path}>{path}</span>
        <a
          className={classes.download}
          href={buildUrl(skillVersionsApi.file, input)}
          download={path.split('/').at(-1)}
          aria-label={t('skillPage.downloadFile', { path })}
        >
          <IconDownload size={16} aria-hidden />
        </a>
      </div>
      <LoadError queries={[text]} />
      {isUnshown && <p className={classes.none}>{t('skillPage.noText')}</p>}
      {typeof text.data === 'string' && (
        <ScrollingGroup className={classes.text} label={path}>
          <pre>{text.data}</pre>
        </ScrollingGroup>
      )}
    </div>
  );
}

/** Null for anything but UTF-8 text. */
function decodeText(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}
