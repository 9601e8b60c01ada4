import type { ProblemIssue } from '@knowhow/shared/problem';
import classes from './issue-list.module.css';

/** Issues, each with its path and rule. */
export function IssueList({ issues }: { issues: readonly ProblemIssue[] }) {
  return (
    <ul className={classes.issues}>
      {issues.map(({ path, code, message }) => (
        <li key={path + code + message}>
          {path && <p className={classes.path}>{path}</p>}
          <p>
            {message} <code className={classes.rule}>{code}</code>
          </p>
        </li>
      ))}
    </ul>
  );
}
