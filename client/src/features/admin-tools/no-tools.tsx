import { Trans, useTranslation } from 'react-i18next';
import { EmptyState } from '../../ui/empty-state.tsx';
import classes from './tool-list.module.css';

/** How to get tools, where there are none. */
export function NoTools() {
  const { t } = useTranslation();
  return (
    <>
      <EmptyState title={t('adminTools.emptyTitle')} text={t('adminTools.emptyText')} />
      <div className={classes.steps}>
        <p>
          <Trans i18nKey="adminTools.emptyHow" components={{ code: <code /> }} />
        </p>
        <pre>{example}</pre>
        <p>
          <Trans i18nKey="adminTools.emptyGuide" components={{ code: <code /> }} />
        </p>
      </div>
    </>
  );
}

const example = `{
  "mcpServers": {
    "office": { "type": "http", "url": "https://mcp.example.org/mcp" }
  }
}`;
