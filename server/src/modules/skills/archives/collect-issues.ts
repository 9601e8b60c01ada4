import { type Problem, type ProblemIssue, problem } from '@knowhow/shared/problem';
import { reveal } from '@knowhow/skill-format';
import type { ArchiveIssue, ReportIssue } from './unpack-faults.ts';

/** Collects the issues of an archive, so that they are reported together. */
export interface IssueCollector {
  report: ReportIssue;
  /** Throws one problem if any issue was reported. */
  refuse(): void;
}

/** Says what is rejected, and why. */
type Sentence = (reason: string) => string;

const maxListed = 100;
const maxShown = 256;

export function collectIssues(sentence: Sentence): IssueCollector {
  const issues = new Map<string, ProblemIssue>();
  let count = 0;
  return {
    report: (name, fault) => {
      const issue = issueOf(name, fault);
      const key = `${issue.path} ${issue.code}`;
      if (issues.has(key)) {
        return;
      }
      count += 1;
      if (issues.size < maxListed) {
        issues.set(key, issue);
      }
    },
    refuse: () => {
      if (count > 0) {
        throw refusal([...issues.values()], count, sentence);
      }
    },
  };
}

/** The problem of an archive that is rejected because of one issue. */
export function createRejection(fault: ArchiveIssue, sentence: Sentence): Problem {
  return refusal([issueOf('', fault)], 1, sentence);
}

function issueOf(name: string, { code, message }: ArchiveIssue): ProblemIssue {
  const points = [...name.slice(0, 2 * maxShown + 2)];
  const shown = points.length > maxShown ? `${points.slice(0, maxShown).join('')}…` : name;
  return { path: reveal(shown), code, message };
}

function refusal(issues: ProblemIssue[], count: number, sentence: Sentence): Problem {
  const [first] = issues;
  const prefix = first?.path ? `"${first.path}": ` : '';
  const reason =
    count === 1
      ? `${prefix}${first?.message}`
      : `${count} things are wrong with it${count > maxListed ? `, of which ${maxListed} are listed` : ''}.`;
  return problem('invalid-archive', sentence(reason), { issues });
}
