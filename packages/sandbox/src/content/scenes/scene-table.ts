import type { Scene } from '../generator/scene.ts';
import type { ContentLanguage } from '../languages.ts';
import { productReview as deProductReview } from './de/product-review.ts';
import { retrospective as deRetrospective } from './de/retrospective.ts';
import { supportCall as deSupportCall } from './de/support-call.ts';
import { hiringInterview as enHiringInterview } from './en/hiring-interview.ts';
import { quarterlyPlanning as enQuarterlyPlanning } from './en/quarterly-planning.ts';
import { retrospective as enRetrospective } from './en/retrospective.ts';
import { salesCall as enSalesCall } from './en/sales-call.ts';
import { lecture as esLecture } from './es/lecture.ts';
import { supportCall as esSupportCall } from './es/support-call.ts';
import { hiringInterview as frHiringInterview } from './fr/hiring-interview.ts';
import { salesCall as frSalesCall } from './fr/sales-call.ts';
import { projectSync as jaProjectSync } from './ja/project-sync.ts';
import { salesCall as jaSalesCall } from './ja/sales-call.ts';
import { doctorVisit as ruDoctorVisit } from './ru/doctor-visit.ts';
import { lecture as ruLecture } from './ru/lecture.ts';
import { projectSync as ruProjectSync } from './ru/project-sync.ts';
import { hiringInterview as zhHiringInterview } from './zh/hiring-interview.ts';
import { productReview as zhProductReview } from './zh/product-review.ts';

/** The scenes of each language, by the name that an id has in its middle. */
const scenes: Readonly<Record<ContentLanguage, Readonly<Record<string, Scene>>>> = {
  en: {
    'sales-call': enSalesCall,
    retrospective: enRetrospective,
    'hiring-interview': enHiringInterview,
    'quarterly-planning': enQuarterlyPlanning,
  },
  de: {
    retrospective: deRetrospective,
    'support-call': deSupportCall,
    'product-review': deProductReview,
  },
  fr: { 'sales-call': frSalesCall, 'hiring-interview': frHiringInterview },
  es: { 'support-call': esSupportCall, lecture: esLecture },
  ru: { 'project-sync': ruProjectSync, 'doctor-visit': ruDoctorVisit, lecture: ruLecture },
  zh: { 'product-review': zhProductReview, 'hiring-interview': zhHiringInterview },
  ja: { 'project-sync': jaProjectSync, 'sales-call': jaSalesCall },
};

export function findScene(language: ContentLanguage, name: string): Scene | undefined {
  return Object.hasOwn(scenes[language], name) ? scenes[language][name] : undefined;
}

/** In the order in which meetings of the language take them. */
export function listSceneNames(language: ContentLanguage): readonly string[] {
  return Object.keys(scenes[language]);
}
