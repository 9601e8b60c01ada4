import type { ProblemIssue } from '@knowhow/shared/problem';
import classes from './issue-list.module.css';

/** What is wrong, each with the path it is about and the rule. */
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
