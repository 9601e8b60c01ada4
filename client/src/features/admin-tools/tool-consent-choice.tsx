import type { AdminTool } from '@knowhow/shared/config/admin-tools';
import { Button, Radio } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Section } from '../../ui/layout/section.tsx';
import { ErrorNote } from '../../ui/text/error-note.tsx';
import classes from './tool-page.module.css';
import { useDecision } from './tools-query.ts';

/** Whether users are asked before a tool runs, and the approval of its current version. */
export function ToolConsentChoice({ tool }: { tool: AdminTool }) {
  const { t } = useTranslation();
  const { decide } = useDecision();
  const { name, consent, sourceConsent, approved, digest } = tool;
  const sourceSays = t(
    sourceConsent === 'ask' ? 'adminTools.sourceAsks' : 'adminTools.sourceNever',
  );
  return (
    <Section title={t('adminTools.consent')}>
      <Radio.Group
        aria-label={t('adminTools.consent')}
        value={consent === sourceConsent ? 'source' : consent}
        onChange={(chosen) =>
          decide.mutate({
            name,
            decision: { consent: chosen === 'ask' || chosen === 'never' ? chosen : null },
          })
        }
      >
        <div className={classes.choices}>
          <Radio value="source" label={sourceSays} />
          {sourceConsent === 'ask' ? (
            <Radio
              value="never"
              label={t('adminTools.neverAsk')}
              description={t('adminTools.neverAskAbout')}
            />
          ) : (
            <Radio value="ask" label={t('adminTools.alwaysAsk')} />
          )}
        </div>
      </Radio.Group>
      {consent === 'ask' && (
        <div className={classes.approval}>
          <p>{t(approved ? 'adminTools.approvedAbout' : 'adminTools.approveAbout')}</p>
          <Button
            size="sm"
            variant="default"
            loading={decide.isPending && decide.variables.decision.approved !== undefined}
            onClick={() =>
              decide.mutate({ name, decision: { approved: approved ? null : digest } })
            }
          >
            {t(approved ? 'adminTools.takeBack' : 'adminTools.approve')}
          </Button>
        </div>
      )}
      {decide.error && <ErrorNote error={decide.error} />}
    </Section>
  );
}
