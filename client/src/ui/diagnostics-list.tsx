import type { AdminDiagnostic } from '@knowhow/shared/skills/admin-skill';
import { Button, UnstyledButton } from '@mantine/core';
import { IconAlertCircle, IconAlertTriangle, IconInfoCircle, IconTool } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './diagnostics-list.module.css';
import { useSkillTexts } from './text/use-skill-texts.ts';

interface DiagnosticsListProps {
  diagnostics: AdminDiagnostic[];
  /** Applies an automatic fix. Omitted if the skill is not writable. */
  onFix?: (code: string) => void;
  /** The code of the diagnostic that is being fixed. */
  fixing?: string;
  onShowLine?: (line: number) => void;
}

/** Diagnostics of a skill: what, where, why, and how to fix it. */
export function DiagnosticsList(props: DiagnosticsListProps) {
  const { diagnostics, onFix, fixing, onShowLine } = props;
  const { t } = useTranslation();
  const { describe } = useSkillTexts();
  const ordered = sortDiagnostics(diagnostics);
  return (
    <ul className={classes.list}>
      {ordered.map((diagnostic, position) => {
        const { code, severity, line, fixable } = diagnostic;
        const { message, fix } = describe(diagnostic);
        const { Icon, word } = kinds[severity];
        const sameCode = ordered.filter((other) => other.code === code);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same diagnostic may be made twice
          <li key={position} className={classes.item} data-severity={severity}>
            <Icon className={classes.icon} size={18} aria-hidden />
            <div className={classes.text}>
              <p>
                <span className={classes.severity}>{t(word)}</span> {message}{' '}
                {line !== undefined && <Line line={line} onShow={onShowLine} />}
              </p>
              {fix && <p className={classes.fix}>{fix}</p>}
            </div>
            {fixable && onFix && sameCode[0] === diagnostic && (
              <Button
                className={classes.fix}
                variant="default"
                size="xs"
                leftSection={<IconTool size={14} aria-hidden />}
                loading={fixing === code}
                disabled={fixing !== undefined && fixing !== code}
                onClick={() => onFix(code)}
              >
                {t('adminParts.fix', { count: sameCode.length })}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Line({ line, onShow }: { line: number; onShow?: (line: number) => void }) {
  const { t } = useTranslation();
  const text = t('adminParts.line', { line });
  if (!onShow) {
    return <span className={classes.line}>{text}</span>;
  }
  return (
    <UnstyledButton className={classes.lineButton} onClick={() => onShow(line)}>
      {text}
    </UnstyledButton>
  );
}

/** Sorted by severity, then by position in the file. */
function sortDiagnostics(diagnostics: AdminDiagnostic[]): AdminDiagnostic[] {
  return (['error', 'warning', 'info'] as const).flatMap((severity) =>
    diagnostics.filter((diagnostic) => diagnostic.severity === severity),
  );
}

const kinds = {
  error: { Icon: IconAlertCircle, word: 'adminParts.error' },
  warning: { Icon: IconAlertTriangle, word: 'adminParts.warning' },
  info: { Icon: IconInfoCircle, word: 'adminParts.info' },
} as const;
