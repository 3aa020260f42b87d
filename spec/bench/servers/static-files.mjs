/** Serves the files by the static middleware of Express. */
import express from 'express'
import { serve, settings } from './serve.mjs'

serve(express().use(express.static(settings.files)))
