import type { Activation } from '@knowhow/shared/chat/chat';
import type { AssistantMessage } from '@knowhow/shared/chat/conversations';
import type { SharedAnswer } from '@knowhow/shared/chat/sharing';
import { Suspense } from 'react';
import { lazyPart } from '../../../ui/loading/lazy-part.tsx';
import { loadTexts } from '../../../ui/loading/load-texts.ts';
import { Markdown } from '../../../ui/markdown/lazy-markdown.tsx';
import { PlainText } from '../../../ui/text/plain-text.tsx';
import { SkillCard } from '../activation-card.tsx';
import { filesRead } from '../describe-tool-call.ts';
import lines from '../tool-call-line.module.css';
import classes from './answer.module.css';
import { type AnswerPart, answerParts } from './answer-parts.ts';

const AnswerCall = lazyPart(async () => {
  const [{ AnswerCall: Call }] = await Promise.all([
    import('./answer-call.tsx'),
    loadTexts('tools'),
  ]);
  return Call;
});

/** From the reader's own conversation, or a shared one. */
export type AnyAnswer = AssistantMessage & Pick<SharedAnswer, 'instructions'>;

interface AnswerBodyProps {
  answer: AnyAnswer;
  isActive: (skill: string) => boolean;
  onEndSkill: ((name: string) => void) | undefined;
}

/** The text of an answer, with tool calls and activations in chronological order. */
export function AnswerBody({ answer, isActive, onEndSkill }: AnswerBodyProps) {
  const running = answer.status === 'running';
  const parts = answerParts(answer);
  const last = parts.at(-1);
  const isWriting = last?.type === 'text' && last.isLast;
  return (
    <>
      {groupParts(parts).map(([first, ...others]) =>
        first.type === 'text' ? (
          <AnswerText key={first.key} text={first.text} streaming={running && first.isLast} />
        ) : (
          <div className={lines.calls} key={first.key}>
            {[first, ...others].map((part) =>
              part.type === 'skill' ? (
                <AnswerSkill
                  key={part.key}
                  activation={part.activation}
                  {...{ answer, isActive, onEndSkill }}
                />
              ) : (
                part.type === 'call' && (
                  <Suspense key={part.key}>
                    <AnswerCall messageId={answer.id} part={part} />
                  </Suspense>
                )
              ),
            )}
          </div>
        ),
      )}
      {running && !isWriting && <AnswerText text="" streaming />}
    </>
  );
}

export function AnswerSkill({
  answer,
  activation,
  isActive,
  onEndSkill,
}: AnswerBodyProps & { activation: Activation }) {
  const { name } = activation;
  return (
    <SkillCard
      activation={activation}
      files={filesRead(answer.toolCalls, name)}
      instructions={answer.instructions?.[name]}
      onEnd={isActive(name) ? () => onEndSkill?.(name) : undefined}
    />
  );
}

function AnswerText({ text, streaming }: { text: string; streaming: boolean }) {
  return (
    <Suspense
      fallback={
        <p className={classes.plain}>
          <PlainText text={text} />
        </p>
      }
    >
      <Markdown text={text} streaming={streaming} />
    </Suspense>
  );
}

type Group = [AnswerPart, ...AnswerPart[]];

/** Each text on its own; everything between two texts is one group. */
function groupParts(parts: readonly AnswerPart[]): Group[] {
  const groups: Group[] = [];
  for (const part of parts) {
    const group = groups.at(-1);
    if (group && group[0].type !== 'text' && part.type !== 'text') {
      group.push(part);
    } else {
      groups.push([part]);
    }
  }
  return groups;
}
