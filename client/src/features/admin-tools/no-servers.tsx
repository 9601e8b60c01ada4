import { Trans, useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/layout/empty-state.tsx';
import { TextBlock } from '../../ui/text/text-block.tsx';
import classes from './tool-list.module.css';

/** Explains how to add a tool server. */
export function NoServers() {
  const { t } = useTranslation();
  return (
    <>
      <EmptyState title={t('adminTools.emptyTitle')} text={t('adminTools.emptyText')} />
      <div className={classes.steps}>
        <p>
          <Trans i18nKey="adminTools.emptyHow" components={{ code: <code /> }} />
        </p>
        <TextBlock label={file} text={example} />
        <p>
          <Trans i18nKey="adminTools.emptyGuide" components={{ code: <code /> }} />
        </p>
      </div>
    </>
  );
}

const file = 'contents/config/mcp.json';

const example = `{
  "mcpServers": {
    "tickets": { "url": "https://tickets.example.org/mcp" }
  }
}`;
