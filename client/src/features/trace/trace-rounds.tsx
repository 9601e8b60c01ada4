import type { Trace, TraceMessage, TraceRound } from '@knowhow/shared/chat/traces';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../ui/text/use-format.ts';
import { RoundSetting } from './round-setting.tsx';
import classes from './trace-rounds.module.css';
import { TraceText } from './trace-text.tsx';
import { useTraceFormat } from './use-trace-format.ts';

interface TraceRoundsProps {
  trace: Trace;
  modelName: (id: string) => string;
}

/** The requests of an answer in order. */
export function TraceRounds({ trace, modelName }: TraceRoundsProps) {
  const { t } = useTranslation();
  const { rounds, skillsOff } = trace;
  return (
    <section aria-label={t('trace.rounds')}>
      <h3 className={classes.heading}>{t('trace.rounds')}</h3>
      <ol className={classes.rounds}>
        {rounds.map((round, index) => (
          <Round
            key={round.startedAt + String(index)}
            number={index + 1}
            round={round}
            before={rounds.slice(0, index).findLast(({ purpose }) => purpose === round.purpose)}
            skillsOff={skillsOff}
            modelName={modelName}
          />
        ))}
      </ol>
    </section>
  );
}

interface RoundProps {
  number: number;
  round: TraceRound;
  /** The previous request of the same kind. */
  before: TraceRound | undefined;
  skillsOff: string[];
  modelName: (id: string) => string;
}

const purposes = {
  router: 'trace.purpose.router',
  summary: 'trace.purpose.summary',
  tool: 'trace.purpose.tool',
} as const;

function Round({ number, round, before, skillsOff, modelName }: RoundProps) {
  const { t } = useTranslation();
  const { purpose, notices, error, text } = round;
  return (
    <li className={classes.round} data-purpose={purpose}>
      <h4 className={classes.title}>
        {t('trace.round', { number })}
        {purpose !== 'answer' && <span className={classes.purpose}>{t(purposes[purpose])}</span>}
      </h4>
      <Figures round={round} modelName={modelName} />
      {error && <p className={classes.error}>{t('trace.failed', { code: error.code })}</p>}
      {notices.map((code) => (
        <p key={code} className={classes.notice}>
          {t(noticeTexts[code])}
        </p>
      ))}
      <RoundSetting round={round} before={before} skillsOff={skillsOff} />
      <AddedMessages round={round} />
      {text && (
        <>
          <h5 className={classes.part}>{t('trace.wrote')}</h5>
          <TraceText text={text} />
        </>
      )}
      <ToolCalls calls={round.calls} />
    </li>
  );
}

const noticeTexts = {
  'results-cleared': 'trace.notice.resultsCleared',
  summarised: 'trace.notice.summarised',
  'left-out': 'trace.notice.leftOut',
} as const;

function Figures({ round, modelName }: Pick<RoundProps, 'round' | 'modelName'>) {
  const { t } = useTranslation();
  const { time, tokens, cost } = useTraceFormat();
  const { model, ms, firstTokenMs, usage } = round;
  const figures = [
    modelName(model),
    time(ms),
    firstTokenMs === undefined ? undefined : t('trace.firstToken', { time: time(firstTokenMs) }),
    usage && tokens(usage),
    usage && cost(usage),
  ];
  return (
    <p className={classes.figures}>
      {figures.filter((figure) => figure !== undefined).join(' · ')}
    </p>
  );
}

/** The messages added since the previous request. */
function AddedMessages({ round }: { round: TraceRound }) {
  const { t } = useTranslation();
  const { added, earlier } = round;
  return (
    <>
      <h5 className={classes.part}>
        {t('trace.added')}
        {earlier > 0 && (
          <span className={classes.quiet}> {t('trace.earlier', { count: earlier })}</span>
        )}
      </h5>
      {added.length === 0 ? (
        <p className={classes.quiet}>{t('trace.nothingAdded')}</p>
      ) : (
        <ul className={classes.messages}>
          {added.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a message is what is at its position
            <li key={index} className={classes.message}>
              <Added message={message} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Added({ message }: { message: TraceMessage }) {
  const { t } = useTranslation();
  const { role, content, name = '', error, images, toolCalls = [], withheld } = message;
  return (
    <>
      <p className={classes.role}>
        {t(roles[role], { name })}
        {error && <span className={classes.wrong}> {t('trace.error')}</span>}
        {images !== undefined && (
          <span className={classes.quiet}> {t('trace.pictures', { count: images })}</span>
        )}
      </p>
      {withheld && <p className={classes.quiet}>{t('trace.withheld')}</p>}
      {content !== '' && <TraceText text={content} />}
      {toolCalls.map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a call is what is at its position
        <WrittenCall key={index} {...call} />
      ))}
    </>
  );
}

const roles = {
  user: 'trace.role.user',
  assistant: 'trace.role.assistant',
  tool: 'trace.role.tool',
} as const;

/** The tool calls in an answer to a request, with their results. */
function ToolCalls({ calls }: Pick<TraceRound, 'calls'>) {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const { time } = useTraceFormat();
  return (
    calls.length > 0 && (
      <>
        <h5 className={classes.part}>{t('trace.calls')}</h5>
        <ul className={classes.calls}>
          {calls.map((call) => (
            <li key={call.startedAt + call.name + JSON.stringify(call.input)}>
              <WrittenCall name={call.name} input={call.input} />
              <span className={classes.quiet}>
                {t('trace.gave', { bytes: bytes(call.bytes), time: time(call.ms) })}
                {call.summary && ` · ${call.summary}`}
              </span>
              {call.error && <span className={classes.wrong}> {t('trace.error')}</span>}
            </li>
          ))}
        </ul>
      </>
    )
  );
}

/** A call as the model wrote it. */
function WrittenCall({ name, input }: { name: string; input: unknown }) {
  return (
    <code className={classes.call}>
      <b>{name}</b> {input === null ? '' : JSON.stringify(input)}
    </code>
  );
}
