/**
 * The report blocks that the sandbox can write. The names are observed, except `decisions` and `follow_up_email`,
 * which are assumed. The service's own set is open.
 */
export type BlockName =
  | 'decisions'
  | 'follow_up_email'
  | 'hr_summary'
  | 'med-anamnesis'
  | 'one_to_one'
  | 'protocol'
  | 'questions_and_answers'
  | 'research_insights'
  | 'sales_coach'
  | 'sales_general'
  | 'summary'
  | 'summary_agenda'
  | 'summary_by_speaker'
  | 'tasks'
  | 'team_sync_agenda';
