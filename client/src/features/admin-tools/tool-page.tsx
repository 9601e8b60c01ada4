import { Button, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { PageFrame } from '../../ui/layout/page-frame.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import { PlainText } from '../../ui/text/plain-text.tsx';
import { TextBlock } from '../../ui/text/text-block.tsx';
import { useToolLabel } from '../../ui/text/use-tool-label.ts';
import { revealHiddenCharacters } from '../../ui/text/visible-text.ts';
import { ToolBadge } from './tool-badge.tsx';
import { ToolChange } from './tool-change.tsx';
import { ToolConsentChoice } from './tool-consent-choice.tsx';
import { ToolFacts } from './tool-facts.tsx';
import { type ListedTool, listTools } from './tool-filters.ts';
import { ToolNotes } from './tool-notes.tsx';
import classes from './tool-page.module.css';
import { ToolSwitch } from './tool-switch.tsx';
import { toolsQuery } from './tools-query.ts';
import { TryTool } from './try-tool.tsx';

/** The page of one tool, by its model-facing name. */
export function ToolPage({ id: name }: { id: string }) {
  const { t } = useTranslation();
  const list = useQuery(toolsQuery);
  const listed = listTools(list.data?.sources ?? []).find(({ tool }) => tool.name === name);
  const back = { to: '/admin/tools', label: t('adminPages.tools') };
  if (listed) {
    return <KnownTool listed={listed} back={back} />;
  }
  return (
    <PageFrame title={name} back={back}>
      {list.error && <ErrorNote error={list.error} onRetry={() => list.refetch()} />}
      {list.isPending && (
        <div role="status" aria-label={t('state.loading')}>
          <Skeleton height={176} />
        </div>
      )}
      {list.data && (
        <EmptyState title={t('adminTools.gone', { name })} text={t('adminTools.goneAbout')}>
          <Button variant="default" component={Link} to="/admin/tools">
            {t('adminTools.showAll')}
          </Button>
        </EmptyState>
      )}
    </PageFrame>
  );
}

interface KnownToolProps {
  listed: ListedTool;
  back: { to: string; label: string };
}

function KnownTool({ listed, back }: KnownToolProps) {
  const { t } = useTranslation();
  const { tool } = listed;
  const { title } = useToolLabel()(tool);
  return (
    <PageFrame
      title={revealHiddenCharacters(title)}
      back={back}
      status={<ToolBadge listed={listed} />}
      actions={<ToolSwitch tool={tool} />}
    >
      <ToolNotes listed={listed} />
      <div className={classes.columns}>
        <div className={classes.main}>
          {tool.was && <ToolChange tool={tool} was={tool.was} />}
          <Section title={t('adminTools.description')} text={t('adminTools.descriptionAbout')}>
            <div className={classes.description}>
              <PlainText text={revealHiddenCharacters(tool.description)} />
            </div>
          </Section>
          <ToolConsentChoice tool={tool} />
          <Section title={t('adminTools.tryIt')} text={t('adminTools.tryItAbout')}>
            <TryTool key={tool.digest} tool={tool} />
          </Section>
          <Section title={t('adminTools.schema')}>
            <TextBlock label={t('adminTools.schemaLabel')} text={JSON.stringify(tool.parameters)} />
          </Section>
        </div>
        <ToolFacts listed={listed} />
      </div>
    </PageFrame>
  );
}
