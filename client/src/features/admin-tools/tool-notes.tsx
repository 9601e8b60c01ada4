import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFocusAfter } from '../../ui/focus/use-focus-after.ts';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import type { ListedTool } from './tool-filters.ts';
import classes from './tool-page.module.css';
import { useDecision } from './tools-query.ts';

/** Why a tool is unavailable, and its last error. */
export function ToolNotes({ listed: { tool, source } }: { listed: ListedTool }) {
  const { t } = useTranslation();
  const { decide } = useDecision();
  const { name, digest, fault, changed, lastError, groups, apps } = tool;
  useFocusAfter(changed);
  return (
    <div className={classes.notes}>
      {changed && (
        <Note title={t('adminTools.changedTitle')} text={t('adminTools.changedAbout')}>
          {decide.error && <ErrorNote error={decide.error} />}
          <Button
            size="sm"
            loading={decide.isPending}
            onClick={() => decide.mutate({ name, decision: { accepted: digest } })}
          >
            {t('adminTools.accept')}
          </Button>
        </Note>
      )}
      {fault !== undefined && (
        <Note title={t('adminTools.faultTitle')} text={revealHiddenCharacters(fault)} />
      )}
      {!source.enabled && (
        <Note title={t('adminTools.sourceOff', { source: source.title })}>
          <Link to="/admin/tools">{t('adminTools.toSources')}</Link>
        </Note>
      )}
      {groups.length === 0 && (
        <Note title={t('adminTools.noGroups')}>
          <Link to="/admin/groups">{t('adminTools.toGroups')}</Link>
        </Note>
      )}
      {apps.length === 0 && (
        <Note title={t('adminTools.noApps')}>
          <Link to="/admin/apps">{t('adminTools.toApps')}</Link>
        </Note>
      )}
      {lastError !== undefined && (
        <Note title={t('adminTools.lastError')} text={revealHiddenCharacters(lastError)} />
      )}
    </div>
  );
}

function Note({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className={classes.note}>
      <IconAlertTriangle size={18} aria-hidden />
      <div>
        <p className={classes.noteTitle}>{title}</p>
        {text && <p className={classes.noteText}>{text}</p>}
        {children}
      </div>
    </div>
  );
}
