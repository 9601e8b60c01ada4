import type { AdminSkillDetail } from '@knowhow/shared/skills/admin-skill';
import { Button } from '@mantine/core';
import { IconCopy, IconLock } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NavLink, useLocation } from 'react-router';
import { Bolt } from '../../ui/bolt.tsx';
import { DeprecatedBadge } from '../../ui/deprecated-badge.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { StatusBadge } from '../../ui/layout/status-badge.tsx';
import { TrustBadge } from '../../ui/layout/trust-badge.tsx';
import { useCurrentInView } from '../../ui/layout/use-current-in-view.ts';
import { useRight } from '../../ui/rights.ts';
import { FolderEditNote } from './folder-edit-note.tsx';
import { BlockNote } from './settings/block-skill.tsx';
import { useDuplicate } from './settings/use-duplicate.ts';
import { SkillActions } from './skill-actions.tsx';
import classes from './skill-frame.module.css';
import { skillPath } from './skill-path.ts';

interface SkillFrameProps {
  skill: AdminSkillDetail;
  /** Opens the import that replaces this skill. */
  onImport: () => void;
  /** The tab that is open. */
  children: ReactNode;
}

/** The page of a skill: its head with status and actions, and its tabs, each with its own URL. */
export function SkillFrame({ skill, onImport, children }: SkillFrameProps) {
  const { t } = useTranslation();
  const tabList = useRef<HTMLElement>(null);
  const { name, displayName, status, writable, plugin } = skill;
  const { pathname } = useLocation();
  const isManager = useRight('skills');
  const shown = tabs.filter(({ isManaged }) => isManager || !isManaged);
  useCurrentInView(tabList, pathname);
  return (
    <PageFrame
      title={displayName}
      back={{ to: '/admin/skills', label: t('skillPage.back') }}
      status={
        <>
          <span className={classes.name}>
            <Bolt />
            {displayName !== name && <code>{name}</code>}
          </span>
          <StatusBadge status={status} />
          {skill.deprecated && <DeprecatedBadge successor={skill.deprecated.successor} />}
          {plugin && <TrustBadge plugin={plugin} />}
        </>
      }
      actions={<SkillActions skill={skill} onImport={onImport} />}
    >
      {skill.block && (
        <BlockNote skill={skill} block={skill.block} onUnblocked={() => tabList.current?.focus()} />
      )}
      {!writable && isManager && (
        <ReadOnlyNote skill={skill} onCopied={() => tabList.current?.focus()} />
      )}
      <FolderEditNote skill={skill} onDiscarded={() => tabList.current?.focus()} />
      <nav ref={tabList} className={classes.tabs} tabIndex={-1} aria-label={t('skillPage.tabs')}>
        {shown.map(({ path, label }) => (
          <NavLink key={path} to={skillPath(name, path)} end={path === ''}>
            {t(label)}
          </NavLink>
        ))}
      </nav>
      {children}
    </PageFrame>
  );
}

const tabs = [
  { path: '', label: 'skillPage.overview', isManaged: false },
  { path: 'files', label: 'skillPage.files', isManaged: false },
  { path: 'access', label: 'skillPage.access', isManaged: true },
  { path: 'triggers', label: 'skillPage.triggers', isManaged: true },
  { path: 'versions', label: 'skillPage.versions', isManaged: false },
] as const;

interface ReadOnlyNoteProps {
  skill: AdminSkillDetail;
  /** Called when there are no unsaved changes any more. */
  onCopied: () => void;
}

function ReadOnlyNote({ skill: { name, location }, onCopied }: ReadOnlyNoteProps) {
  const { t } = useTranslation();
  const duplicate = useDuplicate(name);
  return (
    <div className={classes.readOnly}>
      <IconLock size={18} aria-hidden />
      <p>{t('skillPage.readOnly', { location })}</p>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCopy size={14} aria-hidden />}
        loading={duplicate.isPending}
        onClick={() => duplicate.mutate(name, { onSuccess: onCopied })}
      >
        {t('skillPage.copyToLocal')}
      </Button>
    </div>
  );
}
