import type { AdminSkillFile } from '@knowhow/shared/skills/admin-skill';
import { adminSkillFilesApi } from '@knowhow/shared/skills/admin-skill-files';
import { skillDraftsApi } from '@knowhow/shared/skills/skill-drafts';
import { Button } from '@mantine/core';
import { IconDownload, IconFile } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { buildUrl } from '../../api/request.ts';
import { useFormat } from '../../ui/text/use-format.ts';
import type { EditedSkill } from './draft/edited-skill.ts';
import classes from './saved-file.module.css';

interface SavedFileProps {
  skill: EditedSkill;
  file: AdminSkillFile;
  /** Why it cannot be shown. */
  diagnostic?: string;
}

/** A binary file: pictures are shown, anything else can be downloaded. */
export function SavedFile({ skill, file, diagnostic }: SavedFileProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { path, size, kind } = file;
  const name = path.split('/').at(-1) ?? path;
  const address = skillFileUrl(skill, path);
  // Files of drafts are downloads.
  if (kind === 'picture' && !skill.draft) {
    return (
      <figure className={classes.picture}>
        <img src={address} alt={path} />
        <figcaption>{`${getFileType(name)} · ${format.bytes(size)}`}</figcaption>
      </figure>
    );
  }
  return (
    <div className={classes.file}>
      <IconFile size={32} stroke={1.4} aria-hidden />
      <p className={classes.name}>{name}</p>
      <p className={classes.facts}>
        {t('skillFiles.typeAndSize', { type: getFileType(name), size: format.bytes(size) })}
      </p>
      <p className={classes.facts}>{diagnostic ?? t('skillFiles.notText')}</p>
      <Button
        component="a"
        href={address}
        download={name}
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        {t('skillFiles.download')}
      </Button>
    </div>
  );
}

/** The URL of a file; each revision has its own. */
export function skillFileUrl({ name, checksum, draft }: EditedSkill, path: string): string {
  const url = draft
    ? buildUrl(skillDraftsApi.file, { params: { skill: name, path } })
    : buildUrl(adminSkillFilesApi.file, { params: { name, path } });
  return `${url}#${checksum}`;
}

function getFileType(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toUpperCase() : '—';
}
