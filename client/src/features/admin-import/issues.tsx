import type { ProblemIssue } from '@knowhow/shared/problem';
import { IconAlertCircle } from '@tabler/icons-react';
import classes from './issues.module.css';

/** Issues, each with its entry and rule. */
export function Issues({ issues }: { issues: ProblemIssue[] }) {
  return (
    <ul className={classes.issues}>
      {issues.map(({ path, code, message }) => (
        <li key={path + code + message}>
          <IconAlertCircle className={classes.icon} size={17} aria-hidden />
          <div className={classes.text}>
            {path && <p className={classes.entry}>{path}</p>}
            <p>
              {message} <code className={classes.rule}>{code}</code>
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
