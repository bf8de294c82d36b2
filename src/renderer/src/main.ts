import { createPinia } from 'pinia'
import { createApp } from 'vue'
import App from './App.vue'
import './styles/tokens.css'
import './styles/base.css'
import './styles/controls.css'
import './styles/layout.css'
import './styles/import.css'
import './styles/clusters.css'
import './styles/result.css'
import './styles/dialogs.css'
import './styles/compare.css'

createApp(App).use(createPinia()).mount('#app')
