/** The public interface of `chat`: other modules import only this. */
export type { AnswerDependencies } from './answer-turn.ts';
export { callWithoutConversation } from './call-without-conversation.ts';
export { driveTurn } from './drive-turn.ts';
export type { TurnSink } from './events/turn-sink.ts';
export { findApp, visibleApps } from './find-app.ts';
export { findModelIssues } from './find-model-issues.ts';
export { alwaysUsed } from './get-end-reason.ts';
export { openJournal } from './journal.ts';
export { markOutdated } from './mark-outdated.ts';
export { createModelList, type ListedModel, type ModelList } from './model-list.ts';
export type { EndedTurn, TurnObserver } from './observe-turn.ts';
export { checkAnswers, findMissingAnswers, validAnswers } from './personal/app-variables.ts';
export { lastInstructions } from './personal/user-instructions.ts';
export {
  type PreparedTurn,
  type Program,
  prepareTurn,
  type TurnDependencies,
  type TurnRequest,
} from './prepare-turn.ts';
export { type Listing, presentSkills } from './present-skills.ts';
export { getSystemBlocks, modelTools } from './render-request.ts';
export { runTurn } from './run-turn.ts';
export { createRunningTurns, type RunningTurns, stoppedByUser } from './running-turns.ts';
export { maxActiveSkills } from './start-skills.ts';
export { renderSystemPrompt, type SystemBlock } from './system-prompt.ts';
export { takeConversation } from './take-conversation.ts';
export { createTitles, type Titles } from './titles/write-titles.ts';
export { bringsSkills, type TurnAccess } from './turn-access.ts';
export { toTurnError } from './turn-error.ts';
export { getTurnLimits, type TurnLimits } from './turn-limits.ts';
export type { ModelStep, ToolStep, TurnStep } from './turn-steps.ts';
export { viewInApp } from './view-in-app.ts';
export { allocateWindow } from './window.ts';
